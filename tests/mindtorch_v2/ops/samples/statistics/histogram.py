"""Samples of ops/statistics/histogram.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "histogram.bin_ct": [
        S("torch.histogram(x, 4)", x="f(12)"),
        S("torch.histogram(x, 4, range=(-1.0, 1.0))", x="f(3, 4)"),
        S("x.histogram(4, range=(-1.0, 1.0), weight=w, density=True)", x="f(3, 4)", w="pos(3, 4)"),
        S("torch.histogram(x, 4)", x="torch.ones(3)"),
        S("torch.histogram(x, 4)", x="torch.empty(0)"),
        S("torch.histogram(x, 4)", x="i(3)"),
        S("torch.histogram(x, 0)", x="f(3)"),
        S("torch.histogram(x, 4, range=(1.0, -1.0))", x="f(3)"),
        S('torch.histogram(x, 4, range=(float("nan"), -1.0))', x="f(3)"),
        S("torch.histogram(x, 4, range=(-1.0,))", x="f(3)"),
        S("torch.histogram(x, 4, weight=w)", x="f(12)", w="f(3)"),
        S("torch.histogram(x, 4, weight=w)", x="f(12)", w="d(12)"),
    ],
    "histogram.bin_ct_out": [
        S("torch.histogram(x, 4, out=(h, e))", x="f(12)", h="torch.empty(0)", e="torch.empty(0)"),
        S("torch.histogram(x, 4, out=(h, e))", x="f(12)", h="torch.empty(0).double()", e="torch.empty(0)"),
    ],
    "histogram.bins_tensor": [
        S("torch.histogram(x, e)", x="f(3, 4)", e="torch.tensor([-1.0, 0.0, 0.5, 1.0])"),
        S("torch.histogram(x, e, weight=w, density=True)",
          x="f(3, 4)", e="torch.tensor([-1.0, 0.0, 0.5, 1.0])", w="pos(3, 4)"),
        S("torch.histogram(x, e)", x="f(12)", e="d(3)"),
        S("torch.histogram(x, e)", x="f(12)", e="f(3, 2)"),
        S("torch.histogram(x, e)", x="f(12)", e="torch.empty(1)"),
    ],
    "histogram.bins_tensor_out": [
        S("torch.histogram(x, e, out=(h, g))",
          x="f(12)", e="torch.tensor([-1.0, 0.0, 0.5, 1.0])", h="torch.empty(0)", g="torch.empty(0)"),
    ],
    "histogramdd": [
        S("torch.histogramdd(x, [2, 3])", x="f(6, 2)"),
        S("torch.histogramdd(x, [2, 3], range=[-1.0, 1.0, -2.0, 2.0], weight=w, density=True)",
          x="f(6, 2)", w="pos(6)"),
        S("torch.histogramdd(x, [2])", x="f(6, 2)"),
        S("torch.histogramdd(x, [2, 2])", x="f(6)"),
    ],
    "histogramdd.int_bins": [
        S("torch.histogramdd(x, 2)", x="f(6, 2)"),
    ],
    "histogramdd.TensorList_bins": [
        S("torch.histogramdd(x, [a, b])",
          x="f(6, 2)", a="torch.tensor([-1.0, 0.0, 1.0])", b="torch.tensor([-1.0, 0.0, 0.5, 1.0])"),
        S("torch.histogramdd(x, [a])", x="f(6, 2)", a="torch.tensor([-1.0, 0.0, 1.0])"),
    ],
    "_histogramdd_bin_edges": [
        S("list(torch._histogramdd_bin_edges(x, [2, 3]))", x="i(6, 2).float()"),
    ],
    "_histogramdd_from_bin_cts": [
        S("torch._histogramdd_from_bin_cts(x, [2, 3])", x="f(6, 2)"),
    ],
    "_histogramdd_from_bin_tensors": [
        S("torch._histogramdd_from_bin_tensors(x, [a, b])",
          x="f(6, 2)", a="torch.tensor([-1.0, 0.0, 1.0])", b="torch.tensor([-1.0, 0.0, 0.5, 1.0])"),
    ],
}
