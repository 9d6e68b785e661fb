"""Records what PyTorch computes where our kernels of pooling, interpolation and recurrence do (needs torch)."""
from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import torch
from record_kernels import Fact, drawn, empty, written
from torch import Tensor
from torch.nn import functional

OUT = Path(__file__).parent.parent / "tests/mindtorch_v2/data/kernels_windows.json.gz"
aten = torch.ops.aten


def sliding(rank: int) -> Iterator[tuple]:
    """An input and windows over it: kernel, stride, padding, dilation, whether the last window may hang over."""
    sizes = {1: (9,), 2: (5, 7), 3: (3, 4, 5)}[rank]
    for k, s, p, d, ceil in [(2, 2, 0, 1, False), (3, 2, 1, 1, True), (3, 1, 1, 1, False), (2, 1, 0, 2, False)]:
        x = drawn(2, 2, *sizes)
        x.view(-1)[::11] = torch.nan if k == 3 and s == 2 else 2.5
        yield x, (k,) * rank, (s,) * rank, (p,) * rank, (d,) * rank, ceil


def max_pooling(rank: int) -> Iterator[Fact]:
    pool, back_of = (getattr(aten, f"max_pool{max(rank, 2)}d_with_indices{end}") for end in ("", "_backward"))
    for x, kernel, stride, padding, dilation, ceil in sliding(rank):
        if rank == 1:
            out, at = functional.max_pool1d(x, kernel, stride, padding, dilation, ceil, return_indices=True)
        else:
            out, at = pool(x, kernel, stride, padding, dilation, ceil)
        yield "max_pool", [empty(out), empty(at), x, kernel, stride, padding, dilation], {0: out, 1: at}
        if rank > 1:
            g = drawn(*out.shape)
            back = back_of(g, x, kernel, stride, padding, dilation, ceil, at)
            yield "max_pool_backward", [empty(x), g, at, rank], {0: back}


def average_pooling(rank: int) -> Iterator[Fact]:
    for x, kernel, stride, padding, dilation, ceil in sliding(rank):
        for padding_too, divisor in [(True, None), (False, None), (True, 3)][: 3 if rank > 1 else 2]:
            rest = (padding_too, divisor) if rank > 1 else (padding_too,)
            if max(dilation) > 1:
                continue
            out = getattr(aten, f"avg_pool{rank}d")(x, kernel, stride, padding, ceil, *rest)
            args = [kernel, stride, padding, padding_too, divisor or 0]
            yield "avg_pool", [empty(out), x, *args], {0: out}
            if rank > 1:
                g = drawn(*out.shape)
                back = getattr(aten, f"avg_pool{rank}d_backward")(g, x, kernel, stride, padding, ceil, *rest)
                yield "avg_pool_backward", [empty(x), g, *args], {0: back}


def adaptive_pooling(rank: int) -> Iterator[Fact]:
    for size in ((3, 2, 4), (1, 1, 1), (4, 9, 7)):
        x = drawn(2, 2, *(4, 5, 7)[3 - rank:]).requires_grad_()
        out, at = getattr(functional, f"adaptive_max_pool{rank}d")(x, size[3 - rank:], return_indices=True)
        yield "adaptive_max_pool", [empty(out), empty(at), x, rank], {0: out, 1: at}
        mean = getattr(functional, f"adaptive_avg_pool{rank}d")(x, size[3 - rank:])
        g = drawn(*mean.shape)
        yield "adaptive_avg_pool", [empty(mean), x, rank], {0: mean}
        yield "adaptive_avg_pool_backward", [empty(x), g, rank], {0: torch.autograd.grad(mean, x, g)[0]}


def pooling() -> Iterator[Fact]:
    for rank in (1, 2, 3):
        yield from max_pooling(rank)
        yield from average_pooling(rank)
        yield from adaptive_pooling(rank)
    for rank in (2, 3):
        x, samples, size = drawn(2, 2, *(4, 6, 9)[3 - rank:]), torch.rand(2, 2, rank), (2, 4, 5)[3 - rank:]
        for kernel in ((2,) * rank, (1,) * rank):
            out, at = getattr(aten, f"fractional_max_pool{rank}d")(x, kernel, size, samples)
            yield "fractional_max_pool", [empty(out), empty(at), x, samples, kernel], {0: out, 1: at}
        sizes = (4,) * rank
        x, at = getattr(functional, f"max_pool{rank}d")(drawn(2, 2, *sizes), 2, return_indices=True)
        out = getattr(functional, f"max_unpool{rank}d")(x, at, 2)
        yield "max_unpool", [empty(out), x, at, rank], {0: out}
    for dtype in (torch.float64, torch.bfloat16):
        x = drawn(1, 2, 5, 7).to(dtype)
        out, at = aten.max_pool2d_with_indices(x, (3, 2), (2, 1), (1, 0))
        yield "max_pool", [empty(out), empty(at), x, (3, 2), (2, 1), (1, 0), (1, 1)], {0: out, 1: at}
    x = torch.randint(-9, 9, (1, 2, 5, 7))
    out, at = aten.max_pool2d_with_indices(x, (3, 2), (2, 1), (1, 0))
    yield "max_pool", [empty(out), empty(at), x, (3, 2), (2, 1), (1, 0), (1, 1)], {0: out, 1: at}
    out = aten.avg_pool2d(x, (3, 2), (2, 1), (1, 0))
    yield "avg_pool", [empty(out), x, (3, 2), (2, 1), (1, 0), True, 0], {0: out}


# torch's mode, the kernel, the dimensions it exists for, whether it is smoothed
MODES = [("nearest", "upsample_nearest", (1, 2, 3), False),
         ("nearest-exact", "upsample_nearest_exact", (1, 2, 3), False), ("linear", "upsample_linear", (1,), False),
         ("bilinear", "upsample_linear", (2,), False), ("trilinear", "upsample_linear", (3,), False),
         ("bicubic", "upsample_cubic", (2,), False), ("bilinear", "upsample_linear_smooth", (2,), True),
         ("bicubic", "upsample_cubic_smooth", (2,), True)]


def interpolation() -> Iterator[Fact]:
    for mode, name, ranks, antialias in MODES:
        corners = (None,) if "nearest" in mode else (False, True)
        for rank, align, scale in itertools.product(ranks, corners, (None, 0.6, 1.7)):
            x = drawn(1, 2, *(3, 5, 6)[3 - rank:]).requires_grad_()
            size = (4, 8, 3)[3 - rank:] if scale is None else None
            out = functional.interpolate(x, size, scale, mode, align, recompute_scale_factor=None if size else False,
                                antialias=antialias)
            g, scales = drawn(*out.shape), (scale or 0.0,) * rank
            rest = [scales] if align is None else [align, scales]
            yield name, [empty(out), x, *rest], {0: out}
            yield f"{name}_backward", [empty(x), g, *rest], {0: torch.autograd.grad(out, x, g)[0]}
    picture = torch.randint(0, 255, (1, 1, 2, 3), dtype=torch.uint8)
    out = functional.interpolate(picture, (3, 5))
    yield "upsample_nearest", [empty(out), picture, (0.0, 0.0)], {0: out}


def grid_sample() -> Iterator[Fact]:
    for rank, mode, padding, align in itertools.product((2, 3), range(3), range(3), (False, True)):
        if rank == 3 and mode == 2:
            continue
        # slopes of a cubic cancel: few digits are left of a single-precision one
        dtype = torch.float64 if mode == 2 else torch.float32
        x, grid = drawn(2, 2, *(3, 4, 5)[3 - rank:]).to(dtype), drawn(2, *(2, 2, 3)[3 - rank:], rank).to(dtype) * 0.75
        out = getattr(aten, f"grid_sampler_{rank}d")(x, grid, mode, padding, align)
        g = drawn(*out.shape).to(dtype)
        back = getattr(aten, f"grid_sampler_{rank}d_backward")(g, x, grid, mode, padding, align, [True, True])
        yield "grid_sampler", [empty(out), x, grid, mode, padding, align], {0: out}
        yield ("grid_sampler_backward", [empty(x), empty(grid), g, x, grid, mode, padding, align],
               {0: back[0], 1: back[1]})


def gates_of(x: Tensor, w_ih: Tensor, w_hh: Tensor, bias: Tensor, h: Tensor, c: Tensor,
             reverse: bool) -> tuple[Tensor, Tensor]:
    """The gates and the cells of every step, which torch's LSTM keeps to itself."""
    gates, cells = torch.zeros(*x.shape[:2], 4 * h.shape[1]), torch.zeros(*x.shape[:2], h.shape[1])
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        i, f, g, o = (x[t] @ w_ih.T + h @ w_hh.T + bias).chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        c = f * c + i * g
        h = o * c.tanh()
        gates[t], cells[t] = torch.cat([i, f, g, o], 1), c
    return gates, cells


def recurrent() -> Iterator[Fact]:
    for steps, batch, inputs, hidden, reverse in [(3, 2, 3, 2, False), (3, 2, 3, 2, True), (1, 1, 2, 3, False)]:
        way = int(reverse)
        net = torch.nn.LSTM(inputs, hidden, bidirectional=True)
        x, h, c = (drawn(*shape).requires_grad_() for shape in [(steps, batch, inputs), *[(2, batch, hidden)] * 2])
        w_ih, w_hh, b_ih, b_hh = net.all_weights[way]
        both, (hy, cy) = net(x, (h, c))
        results = [both[..., way * hidden:(way + 1) * hidden], hy[way], cy[way]]
        layer = [x, w_ih, w_hh, b_ih + b_hh, h[way], c[way]]
        with torch.no_grad():
            gates, cells = gates_of(*layer, reverse)
        out, *last = (t.detach().contiguous() for t in results)
        yield ("lstm", [empty(out), *map(empty, last), empty(gates), empty(cells), *layer, reverse],
               {0: out, 1: last[0], 2: last[1], 3: gates, 4: cells})
        grads = [drawn(*t.shape) for t in results]
        back = torch.autograd.grad(results, [x, w_ih, w_hh, b_ih, h, c], grads)
        back = [*back[:4], back[4][way], back[5][way]]
        yield ("lstm_backward", [*map(empty, back), *grads, x, w_ih, w_hh, h[way], c[way], out, gates, cells, reverse],
               dict(enumerate(back)))


def main() -> None:
    torch.manual_seed(2025)
    facts = {subject.__name__: [
        {"name": name, "args": [written(a) for a in args], "after": {k: written(t) for k, t in after.items()}}
        for name, args, after in subject()] for subject in (pooling, interpolation, grid_sample, recurrent)}
    OUT.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), mtime=0))
    print(OUT.stat().st_size, "bytes;", {k: len(v) for k, v in facts.items()})


if __name__ == "__main__":
    main()
