"""Samples of ops/index/index_reduce.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "index_reduce": [
        S('torch.index_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "mean")', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
        S('x.index_reduce(0, y, z, "amax")', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
        S('torch.index_reduce(x, 1, y, z, "amin", include_self=False)', x="f(3, 4)", y="i(2, high=4)", z="f(3, 2)"),
        S('torch.index_reduce(x, 1, y, z, "prod", include_self=False)', x="f(3, 4)", y="i(2, high=4)", z="f(3, 2)"),
        S('torch.index_reduce(x, 1, y, z, "mean", include_self=False)', x="f(3, 4)", y="i(2, high=4)", z="f(3, 2)"),
        S('torch.index_reduce(x, 0, y, z, "mean")', x="f(5)", y="i(2, high=3)", z="f(2)"),
        S('torch.index_reduce(x, 0, y, z, "prod")', x="i(3, 4)", y="i(2, high=3)", z="i(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(2, high=3).to(torch.int32)", z="f(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "some")', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(3, high=3)", z="f(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(2, high=3)", z="d(2, 4)"),
        S('torch.index_reduce(x, 0, y, z, "prod")', x="f(3, 4)", y="i(2, low=5, high=9)", z="f(2, 4)"),
    ],
    "index_reduce_": [
        S('(x * 1).index_reduce_(0, y, z, "prod")', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
    ],
    "index_reduce.out": [
        S('torch.index_reduce(x, 0, y, z, "prod", out=torch.empty(0))', x="f(3, 4)", y="i(2, high=3)", z="f(2, 4)"),
    ],
}
