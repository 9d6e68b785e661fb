"""Channels and pixels that change places."""

from .. import S

A = "torch.ops.aten"
X = {"x": "f(2, 8, 4, 6)"}
LAST = ".contiguous(memory_format=torch.channels_last)"
VIEWS = ["x", f"x{LAST}", "x.mT", "x[0]", "x[None]", "x[:0]", "x[:, :0]", "x[0, 0]", "x.int()", "x.bool()", "x[:, ::2]",
         f"x{LAST}[:, :4]"]
NUMBERS = ["0", "-1", "1", "3", "4", "10**10"]
OUTS = ["torch.empty(0)", "torch.empty(0, dtype=torch.double)"]


def rows(function: str) -> list:
    """Inputs of many kinds, and numbers that do not fit."""
    return [*[S(f"{function}({view}, 2)", **X) for view in VIEWS], S(f"{function}(x, 2)", x="c(2, 8, 2, 2)"),
            *[S(f"{function}(x, {number})", **X) for number in NUMBERS]]


SAMPLES = {
    "pixel_shuffle": rows("F.pixel_shuffle"), "pixel_unshuffle": rows("torch.pixel_unshuffle"),
    "channel_shuffle": rows("F.channel_shuffle"), "native_channel_shuffle": rows("torch.native_channel_shuffle"),
    **{f"{name}.out": [S(f"{A}.{name}.out(x, 2, out={out})", **X) for out in OUTS]
       for name in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle")},
}
