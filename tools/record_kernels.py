"""Records what PyTorch computes where our kernels do, for tests/mindtorch_v2/devices/cpu (needs torch)."""
from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

OUT = Path(__file__).parent.parent / "tests/mindtorch_v2/data/kernels.json.gz"
aten = torch.ops.aten
# name, arguments as the kernel takes them (before), and what torch makes of those at these places (after)
Fact = tuple[str, list[Any], dict[int, Tensor]]


def drawn(*shape: int) -> Tensor:
    """Few digits, so that the file stays small."""
    return (torch.randn(shape) * 1.5).mul(100).round().div(100)


def empty(like: Tensor) -> Tensor:
    return torch.zeros_like(like)


def gradients(name: str, back: Any, *args: Any) -> Fact:
    """A kernel whose first arguments are gradients, some of which may not be asked for."""
    blank = [t if t is None else empty(t) for t in back]
    return name, [*blank, *args], {i: t for i, t in enumerate(back) if t is not None}


def softmax() -> Iterator[Fact]:
    for shape, dim, view in [((3, 5), 1, (3, 5, 1)), ((2, 3, 4), 1, (2, 3, 4)), ((1, 1), 0, (1, 1, 1))]:
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            x, g = drawn(*shape).to(dtype), drawn(*shape).to(dtype)
            for name in ("softmax", "log_softmax"):
                y = getattr(torch, name)(x, dim)
                back = getattr(aten, f"_{name}_backward_data")(g, y, dim, dtype)
                yield name, [empty(x), x, *view], {0: y}
                yield f"{name}_backward", [empty(x), g, y, *view], {0: back}
    hopeless = torch.full((1, 3), -torch.inf)
    yield "softmax", [empty(hopeless), hopeless, 1, 3, 1], {0: hopeless.softmax(1)}


def nll() -> Iterator[Fact]:
    for shape, target in [((3, 4), [1, -100, 3]), ((2, 3, 2), [[0, 2], [-100, 1]])]:
        logp, target, suffix = drawn(*shape).log_softmax(1), torch.tensor(target), "" if len(shape) == 2 else "2d"
        spatial = logp if not suffix else logp[:, :, None]
        at = target if not suffix else target[:, None]
        for weight in (None, torch.tensor([1.0, 2.0, 0.5, 3.0])[: shape[1]]):
            for reduction in (0, 1, 2):
                out, total = getattr(aten, f"nll_loss{suffix}_forward")(spatial, at, weight, reduction, -100)
                g = drawn(*out.shape)
                back = getattr(aten, f"nll_loss{suffix}_backward")(g, spatial, at, weight, reduction, -100, total)
                out, g = (t.reshape(target.shape if reduction == 0 else ()) for t in (out, g))
                yield ("nll_forward", [empty(out), empty(total), logp, target, weight, reduction, -100],
                       {0: out, 1: total})
                yield ("nll_backward", [empty(logp), g, target, weight, total, reduction, -100],
                       {0: back.reshape(shape)})


def loss() -> Iterator[Fact]:
    yield from nll()
    a, b = drawn(2, 4), drawn(2, 4)
    b[0, 0] = a[0, 0]
    rows = {"mse": ("mse_loss", []), "smooth_l1": ("smooth_l1_loss", [0.7]), "huber": ("huber_loss", [0.7])}
    for reduction, norm, g in [(0, 1.0, drawn(2, 4)), (1, 1 / 8, torch.tensor(1.5)), (2, 1.0, torch.tensor(-2.0))]:
        for name, (op, extra) in rows.items():
            if reduction == 0:
                yield name, [empty(a), a, b, *extra], {0: getattr(aten, op)(a, b, 0, *extra)}
            back = getattr(aten, f"{op}_backward")(g, a, b, reduction, *extra)
            yield f"{name}_backward", [empty(a), g, a, b, norm, *extra], {0: back}
        x, y = torch.tensor([[0.0, 1.0, 1.0, 0.25], [0.5, 0.75, 1e-6, 0.9]]), torch.rand(2, 4)
        for weight in (None, torch.rand(2, 4)):
            if reduction == 0:
                yield "bce", [empty(x), x, y, weight], {0: aten.binary_cross_entropy(x, y, weight, 0)}
            back = aten.binary_cross_entropy_backward(g, x, y, weight, reduction)
            yield "bce_backward", [empty(x), g, x, y, weight, norm], {0: back}


def row_norm() -> Iterator[Fact]:
    for rows, cols, dtype in [(3, 5, torch.float32), (2, 17, torch.float64), (2, 4, torch.bfloat16)]:
        x, g = drawn(rows, cols).to(dtype), drawn(rows, cols).to(dtype)
        for w, b in [(None, None), (drawn(cols).to(dtype), drawn(cols).to(dtype))]:
            y, mean, rstd = aten.native_layer_norm(x, [cols], w, b, 1e-5)
            yield ("layer_norm", [empty(y), empty(mean), empty(rstd), x, w, b, rows, cols, 1e-5],
                   {0: y, 1: mean, 2: rstd})
            mask = [True, w is not None, b is not None]
            back = aten.native_layer_norm_backward(g, x, [cols], mean, rstd, w, b, mask)
            yield gradients("layer_norm_backward", back, g, x, mean, rstd, w, rows, cols)
            leaf = [t.detach().requires_grad_() for t in (x, w) if t is not None]
            y = torch.rms_norm(leaf[0], [cols], leaf[1] if w is not None else None, 1e-5)
            rstd = aten._fused_rms_norm(x, [cols], w, 1e-5)[1]
            yield "rms_norm", [empty(x), empty(rstd), x, w, rows, cols, 1e-5], {0: y.detach(), 1: rstd}
            back = [*torch.autograd.grad(y, leaf, g), None][:2]
            yield gradients("rms_norm_backward", back, g, x, rstd, w, rows, cols)


def norm() -> Iterator[Fact]:
    yield from row_norm()
    for n, c, l in [(4, 3, 1), (2, 4, 3)]:
        x, g, w, b = drawn(n, c, l), drawn(n, c, l), drawn(c), drawn(c)
        for training, weight, bias in [(True, w, b), (True, None, None), (False, w, b)]:
            mean, var = drawn(c), torch.rand(c) + 0.5
            new_mean, new_var = mean.clone(), var.clone()
            y, save_mean, save_invstd = aten.native_batch_norm(x, weight, bias, new_mean, new_var, training, 0.1, 1e-5)
            saved = [empty(save_mean), empty(save_invstd)] if training else [None, None]
            after = {0: y, 6: new_mean, 7: new_var} | ({1: save_mean, 2: save_invstd} if training else {})
            yield "batch_norm", [empty(x), *saved, x, weight, bias, mean, var, training, 0.1, 1e-5, n, c, l], after
            mask = [True, weight is not None, weight is not None]
            statistics = [mean, var, save_mean, save_invstd]
            back = aten.native_batch_norm_backward(g, x, weight, *statistics, training, 1e-5, mask)
            statistics[2:] = statistics[2:] if training else [None, None]
            yield gradients("batch_norm_backward", back, g, x, weight, *statistics, training, 1e-5, n, c, l)
    n, c, l, groups = 2, 4, 3, 2
    x, g = drawn(n, c, l), drawn(n, c, l)
    for w, b in [(None, None), (drawn(c), drawn(c))]:
        y, mean, rstd = aten.native_group_norm(x, w, b, n, c, l, groups, 1e-5)
        yield ("group_norm", [empty(x), empty(mean), empty(rstd), x, w, b, n, c, l, groups, 1e-5],
               {0: y, 1: mean, 2: rstd})
        mask = [True, w is not None, b is not None]
        back = aten.native_group_norm_backward(g, x, mean, rstd, w, n, c, l, groups, mask)
        yield gradients("group_norm_backward", back, g, x, mean, rstd, w, n, c, l, groups)


EDGES = torch.tensor([torch.nan, -torch.inf, torch.inf, -3.0, 3.0, -0.0, 0.0, -1.0, 1.0, 0.37, -0.6, 9.0, -12.0, 25.0])
FORWARD = {"silu": [], "sigmoid": [], "softplus": [1.5, 20.0], "elu": [1.5, 1.2, 0.5], "leaky_relu": [0.1], "mish": [],
           "hardswish": [], "hardsigmoid": [], "erf": [], "erfinv": []}
BACKWARD = {"silu": [], "softplus": [1.5, 20.0], "threshold": [0.3], "hardtanh": [-1.0, 1.0], "mish": [],
            "hardswish": [], "hardsigmoid": []}


def activation() -> Iterator[Fact]:
    for x in (EDGES, drawn(2, 9).double()):
        g = drawn(*x.shape).to(x.dtype)
        for name, params in FORWARD.items():
            yield name, [empty(x), x, *params], {0: getattr(aten, name)(x, *params)}
        for name, params in BACKWARD.items():
            # torch keeps hardsigmoid's 1/6 in single precision, for doubles too
            if name != "hardsigmoid" or x is EDGES:
                back = getattr(aten, f"{name}_backward")(g, x, *params)
                yield f"{name}_backward", [empty(x), g, x, *params], {0: back}
        for how in ("none", "tanh"):
            # torch's gelu of infinity is NaN for floats, infinity for doubles; ours is infinity
            some, by = x[~x.isinf()], g[~x.isinf()]
            yield "gelu", [empty(some), some, how], {0: aten.gelu(some, approximate=how)}
            yield "gelu_backward", [empty(some), by, some, how], {0: aten.gelu_backward(by, some, approximate=how)}
        for is_result in (False, True):
            back = aten.elu_backward(g, 1.5, 1.2, 0.5, is_result, x)
            yield "elu_backward", [empty(x), g, x, 1.5, 1.2, 0.5, is_result], {0: back}
        yield "leaky_relu_backward", [empty(x), g, x, 0.1], {0: aten.leaky_relu_backward(g, x, 0.1, False)}
        for name in ("sigmoid", "tanh"):
            y = getattr(torch, name)(x)
            yield f"{name}_backward", [empty(x), g, y], {0: getattr(aten, f"{name}_backward")(g, y)}
        y, buffer = aten.log_sigmoid_forward(x)
        yield "logsigmoid", [empty(x), x], {0: y}
        yield "logsigmoid_backward", [empty(x), g, x], {0: aten.log_sigmoid_backward(g, x, buffer)}


def attention() -> Iterator[Fact]:
    flash = aten._scaled_dot_product_flash_attention_for_cpu
    back_of = aten._scaled_dot_product_flash_attention_for_cpu_backward
    mask = drawn(3, 4)
    mask[0] = -torch.inf
    for added, causal in [(None, False), (None, True), (mask, False)]:
        q, k, v, g = (drawn(1, n, 2, 4).transpose(1, 2) for n in (3, 4, 4, 3))
        out, lse = flash(q, k, v, 0.0, causal, attn_mask=added, scale=0.4)
        yield "attention", [empty(out), empty(lse), q, k, v, added, causal, 0.4], {0: out, 1: lse}
        back = back_of(g, q, k, v, out, lse, 0.0, causal, attn_mask=added, scale=0.4)
        yield gradients("attention_backward", back, g, q, k, v, out, lse, added, causal, 0.4)


def embedding() -> Iterator[Fact]:
    index, grad = torch.tensor([0, 2, 2, 1, 4, 2]), drawn(6, 3)
    for padding_idx, by_frequency in [(-1, False), (2, False), (1, True)]:
        weight = aten.embedding_dense_backward(grad, index, 5, padding_idx, by_frequency)
        yield "embedding_dense_backward", [torch.zeros(5, 3), grad, index, padding_idx, by_frequency], {0: weight}
    table = drawn(5, 3)
    yield "index_add", [table, index, grad, 0.5], {0: table.index_add(0, index, grad, alpha=0.5)}
    yield "take_rows", [empty(grad), table, index], {0: table[index]}


def stepped(optimizer: type, param: Tensor, grads: list[Tensor], **options: Any) -> tuple[Tensor, dict[str, Tensor]]:
    """The parameter and the optimiser's state after one fused step for each gradient."""
    leaf = param.clone().requires_grad_()
    made = optimizer([leaf], fused=True, **options)
    for grad in grads:
        leaf.grad = grad.clone()
        made.step()
    return leaf.detach().clone(), {k: v.clone() for k, v in made.state[leaf].items() if v is not None}


def adam_steps(p: Tensor, g: list[Tensor]) -> Iterator[Fact]:
    """The second step, from the state the first one left."""
    for asked in ({}, {"weight_decay": 0.1}, {"amsgrad": True, "maximize": True}):
        options = {"weight_decay": 0.0, "amsgrad": False, "maximize": False} | asked
        for kind in (torch.optim.Adam, torch.optim.AdamW):
            (p1, s1), (p2, s2) = (stepped(kind, p, g[:n], lr=0.01, **options) for n in (1, 2))
            names = ["exp_avg", "exp_avg_sq", "max_exp_avg_sq"]
            after = {0: p2} | {place: s2[name] for place, name in enumerate(names, 2) if name in s2}
            switches = [options["amsgrad"], options["maximize"], kind is torch.optim.AdamW]
            yield ("fused_adam", [p1, g[1], *map(s1.get, names), 0.01, 0.9, 0.999, options["weight_decay"], 1e-8,
                                  *switches, 2.0], after)


def sgd_steps(p: Tensor, g: list[Tensor]) -> Iterator[Fact]:
    """The first and the second step."""
    for momentum, dampening, nesterov, maximize in [(0, 0, False, True), (0.9, 0.2, False, False),
                                                    (0.9, 0, True, False)]:
        options = {"momentum": momentum, "dampening": dampening, "nesterov": nesterov, "maximize": maximize}
        before, buffer = p, torch.full_like(p, 7.0) if momentum else None
        for n in (1, 2):
            after, state = stepped(torch.optim.SGD, p, g[:n], lr=0.1, weight_decay=0.05, **options)
            yield ("fused_sgd", [before, g[n - 1], buffer, 0.05, momentum, 0.1, dampening, nesterov, maximize, n == 1],
                   {0: after} | ({2: state["momentum_buffer"]} if momentum else {}))
            before, buffer = after, state.get("momentum_buffer")


def update() -> Iterator[Fact]:
    x, a, b = drawn(7), drawn(7), drawn(7)
    yield "addcmul", [empty(x), x, a, b, 0.3], {0: torch.addcmul(x, a, b, value=0.3)}
    yield "addcdiv", [empty(x), x, a, b, -0.3], {0: torch.addcdiv(x, a, b, value=-0.3)}
    for weight in (0.1, 0.5, 0.9):
        yield "lerp_scalar", [empty(x), x, a, weight], {0: torch.lerp(x, a, weight)}
    yield "axpy", [empty(x), x, a, 0.7], {0: torch.add(x, a, alpha=0.7)}
    p, g = drawn(7), [drawn(7), drawn(7)]
    yield from adam_steps(p, g)
    yield from sgd_steps(p, g)
    options = {"lr": 0.1, "lr_decay": 0.3, "weight_decay": 0.05}
    (p1, s1), (p2, s2) = (stepped(torch.optim.Adagrad, p, g[:n], **options) for n in (1, 2))
    yield "fused_adagrad", [p1, g[1], s1["sum"], 0.1, 0.3, 0.05, 1e-10, False, 2.0], {0: p2, 2: s2["sum"]}


def pointwise() -> Iterator[Fact]:
    reals = torch.tensor([1.5, torch.nan, -2.0, torch.inf, 0.0, 4.0])
    two, three, large = torch.tensor(2.0), torch.tensor(3, dtype=torch.int32), torch.tensor([5, -3, 2**62])
    for a, b in [(reals, reals.flip(0)), (reals, two), (two, reals.clone()), (large, large.flip(0)),
                 (torch.arange(4, dtype=torch.int32), three)]:
        for name in ("add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"):
            if name != "div" or a.is_floating_point():
                out = getattr(torch, name)(a, b)
                yield name, [empty(out), a, b], {0: out}
    for lo, hi in [(-1.0, 2.0), (2.0, -1.0), (torch.nan, 1.0), (0.0, torch.nan)]:
        yield "clamp", [empty(reals), reals, lo, hi], {0: reals.clamp(lo, hi)}
        yield "clamp_min", [empty(reals), reals, lo], {0: reals.clamp_min(lo)}
        yield "clamp_max", [empty(reals), reals, hi], {0: reals.clamp_max(hi)}
    whole = torch.tensor([-5, 0, 7])
    yield "clamp", [empty(whole), whole, -1, 3], {0: whole.clamp(-1, 3)}
    condition = reals > 0
    for b in (reals.flip(0), torch.tensor(-1.0)):
        yield "where", [empty(reals), condition, reals, b], {0: torch.where(condition, reals, b)}


# input, weight, stride, padding, dilation, groups
CONVOLUTIONS = [
    ((2, 3, 5, 6), (4, 3, 3, 2), [1, 1], [1, 0], [1, 1], 1), ((1, 4, 7), (6, 2, 3), [2], [1], [2], 2),
    ((2, 2, 3, 4, 3), (2, 1, 2, 2, 2), [1, 2, 1], [0, 1, 1], [1, 1, 1], 2),
    ((1, 3, 4, 4), (2, 3, 1, 1), [1, 1], [0, 0], [1, 1], 1)]


def convolution() -> Iterator[Fact]:
    for size, kernel, stride, padding, dilation, groups in CONVOLUTIONS:
        for dtype in (torch.float32, torch.float64):
            x, w, b = (drawn(*shape).to(dtype) for shape in (size, kernel, kernel[:1]))
            steps, nothing = [stride, padding, dilation], [0] * len(stride)
            for bias in (None, b):
                y = aten.convolution(x, w, bias, *steps, False, nothing, groups)
                yield "convolution", [empty(y), x, w, bias, *steps, groups], {0: y}
            g = drawn(*y.shape).to(dtype)
            gx, gw, _ = aten.convolution_backward(g, x, w, [kernel[0]], *steps, False, nothing, groups, [True] * 3)
            yield "convolution_input_grad", [empty(x), g, w, *steps, groups], {0: gx}
            yield "convolution_weight_grad", [empty(w), g, x, *steps, groups], {0: gw}


def columns() -> Iterator[Fact]:
    x = drawn(2, 2, 4, 5)
    for asked in ([[2, 3], [1, 1], [0, 0], [1, 1]], [[2, 2], [2, 1], [1, 1], [2, 1]]):
        seen = aten.im2col(x, *asked)
        yield "im2col", [empty(seen), x, *asked], {0: seen}
        yield "col2im", [empty(x), seen, *asked], {0: aten.col2im(seen, [4, 5], *asked)}


def written(value: Any) -> Any:
    """Tensors as dtype, shape and flat values; the rest as it is."""
    if not isinstance(value, Tensor):
        return value
    flat = value.detach().contiguous().flatten()
    if value.dtype in (torch.float32, torch.bfloat16):
        values = [float(f"{v:.9g}") for v in flat.tolist()]
    else:
        values = flat.tolist()
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape), "values": values}


def main() -> None:
    torch.manual_seed(2024)
    facts = {}
    for subject in (softmax, loss, norm, activation, attention, embedding, update, pointwise, convolution,
                    columns):
        facts[subject.__name__] = [
            {"name": name, "args": [written(a) for a in args], "after": {k: written(t) for k, t in after.items()}}
            for name, args, after in subject()]
    OUT.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), mtime=0))
    print(OUT.stat().st_size, "bytes;", {k: len(v) for k, v in facts.items()})


if __name__ == "__main__":
    main()
