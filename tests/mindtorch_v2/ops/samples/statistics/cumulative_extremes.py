"""Samples of ops/statistics/cumulative_extremes.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "cummax": [
        S("torch.cummax(x, 1)", x="f(3, 4)"),
        S("torch.cummax(x, 0)", x="i(3, 4)"),
        S("x.cummax(-1)", x="h(3, 4)"),
        S("torch.cummax(x, 0)", x="f()"),
        S("torch.cummax(x, 1)", x="f(3, 0)"),
        S("torch.cummax(x, 1)", x="f()"),
        S("torch.cummax(x, 0)", x='torch.tensor([1.0, float("nan"), 3.0, float("nan")])'),
        S("torch.cummax(x, 0)", x="f(4, 3).t()"),
        S("torch.cummax(x, 0)", x="c(3)"),
    ],
    "cummax.out": [
        S("torch.cummax(x, 1, out=(v, n))", x="f(3, 4)", v="torch.empty(0)", n="torch.empty(0, dtype=torch.int64)"),
        S("torch.cummax(x, 1, out=(v, n))", x="f(3, 4)", v="torch.empty(0)", n="torch.empty(0)"),
        S("torch.cummax(x, 1, out=(v, n))",
          x="f(3, 4)", v="torch.empty(0).double()", n="torch.empty(0, dtype=torch.int64)"),
    ],
    "cummin": [
        S("torch.cummin(x, 1)", x="f(3, 4)"),
        S("x.cummin(0)", x="b(3, 4)"),
    ],
    "cummin.out": [
        S("torch.cummin(x, 1, out=(v, n))", x="f(3, 4)", v="torch.empty(0)", n="torch.empty(0, dtype=torch.int64)"),
    ],
    "cummaxmin_backward": [
        S("torch.ops.aten.cummaxmin_backward(x, y, z, 1)", x="f(3, 4)", y="f(3, 4)", z="i(3, 4, high=4)"),
    ],
}
