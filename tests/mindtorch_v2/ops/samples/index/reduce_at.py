"""Samples of ops/index/reduce_at.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "scatter_reduce.two": [
        S('torch.scatter_reduce(x, 0, y, z, "sum")', x="f(3, 4)", y="i(2, 4, high=3)", z="f(2, 4)"),
        S('torch.scatter_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(2, 4, high=3)", z="f(2, 4)"),
        S('torch.scatter_reduce(x, 1, y, z, "mean")', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('x.scatter_reduce(1, y, z, "amax")', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "amin", include_self=False)',
          x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "sum", include_self=False)', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "prod", include_self=False)',
          x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "mean", include_self=False)',
          x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "sum")', x="h(3, 4)", y="i(3, 2, high=4)", z="h(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "amax")', x="i(3, 4)", y="i(3, 2, high=4)", z="i(3, 2)"),
        S('torch.scatter_reduce(x, 0, y, z, "sum")', x="f()", y="i(1, high=1)", z="f(1)"),
        S('torch.scatter_reduce(x, 0, y, z, "sum")', x="f(3)", y="i(0)", z="f(0)"),
        S('torch.scatter_reduce(x, 0, y, z, "prod")',
          x="f(2)", y="torch.tensor([0, 0, 1])", z="torch.tensor([0.0, 0.0, 0.0])"),
        S('torch.scatter_reduce(x, 1, y, z, "some")', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "sum")', x="f(3, 4)", y="i(3, 2, high=4)", z="d(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "sum")', x="f(3, 4)", y="i(3, 2, low=5, high=9)", z="f(3, 2)"),
        S('torch.scatter_reduce(x, 1, y, z, "amax")', x="c(3, 4)", y="i(3, 2, high=4)", z="c(3, 2)"),
    ],
    "scatter_reduce_.two": [
        S('(x * 1).scatter_reduce_(1, y, z, "sum")', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
        S('(x * 1).scatter_reduce_(1, y, z, "mean")', x="i(3, 4)", y="i(3, 2, high=4)", z="i(3, 2)"),
    ],
    "scatter_reduce.two_out": [
        S('torch.scatter_reduce(x, 1, y, z, "sum", out=torch.empty(0))', x="f(3, 4)", y="i(3, 2, high=4)", z="f(3, 2)"),
    ],
}
