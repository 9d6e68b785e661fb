"""Borders that continue a tensor."""

from .. import S
from .pad import BORDERS, X, rows

A = "torch.ops.aten"
GRADS = {1: "f(2, 3, 8)", 2: "f(2, 3, 8, 9)", 3: "f(2, 2, 6, 7, 8)"}
LAST = {2: ".contiguous(memory_format=torch.channels_last)", 3: ".contiguous(memory_format=torch.channels_last_3d)"}
# Pairs of the result's gradient and the input; some do not fit.
PAIRS = ["g, x", "g[0], x[0]", "g.mT.contiguous().mT, x", "g[..., :-1], x", "g[:0], x[:0]", "g.double(), x",
         "g[:, :, 1:], x", "g[0], x", "g.bfloat16(), x.bfloat16()", "g.int(), x.int()"]


def of_op(name: str, rank: int) -> dict:
    """An op as ``torch.ops`` has it, its gradient, and results that are given."""
    border, back, x = BORDERS[rank][0], f"{A}.{name}_backward", X[rank]
    mixed = [f"g{LAST[rank]}, x", f"g, x{LAST[rank]}", f"g{LAST[rank]}, x{LAST[rank]}"] if rank > 1 else []
    return {
        name: [S(f"{A}.{name}(x, {padding})", x=x) for padding in (border, "(1, 1, 1)", "()")],
        f"{name}.out": [S(f"{A}.{name}.out(x, {border}, out=torch.empty({out}))", x=x)
                        for out in ("0", "3", "0, dtype=torch.double")],
        f"{name}_backward": [S(f"{back}({pair}, {border})", g=GRADS[rank], x=x) for pair in (*PAIRS, *mixed)],
        f"{name}_backward.grad_input": [S(f"{back}.grad_input(g, x, {border}, grad_input=torch.empty({out}))",
                                          g=GRADS[rank], x=x) for out in ("0", "3", "x.shape")],
    }


SAMPLES = {}
for _word, _mode in (("reflection", "reflect"), ("replication", "replicate")):
    for _rank in X:
        SAMPLES |= of_op(f"{_word}_pad{_rank}d", _rank)
    SAMPLES[f"{_word}_pad1d"] += rows(_mode)
