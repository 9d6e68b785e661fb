"""Samples of ops/statistics/nan_statistics.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "nanmean": [
        S("torch.nanmean(x)", x="f(3, 4)"),
        S("torch.nanmean(x, 1)", x='torch.where(f(3, 4) > 0, 1.0, float("nan"))'),
        S("x.nanmean((0, 1), True, dtype=torch.float64)", x="f(3, 4)"),
        S("torch.nanmean(x)", x="i(3)"),
        S("torch.nanmean(x)", x="c(3)"),
    ],
    "nanmean.out": [
        S("torch.nanmean(x, 1, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "nanmedian": [
        S("torch.nanmedian(x)", x="f(3, 4)"),
        S("x.nanmedian()", x="i(3, 4)"),
        S("torch.nanmedian(x)", x='torch.tensor([float("nan"), 2.0, 1.0, 4.0, 3.0])'),
        S("torch.nanmedian(x)", x='torch.tensor([float("nan")])'),
        S("torch.nanmedian(x)", x="torch.empty(0)"),
        S("torch.nanmedian(x)", x="h(5)"),
    ],
    "nanmedian.dim": [
        S("torch.nanmedian(x, 1)", x="f(3, 4)"),
        S("torch.nanmedian(x, 0, True)",
          x='torch.tensor([[float("nan"), 2.0, 1.0], [4.0, float("nan"), float("nan")], [1.0, 5.0, float("nan")]])'),
        S("x.nanmedian(0)", x="i(3, 4)"),
        S("torch.nanmedian(x, 0)", x="f(0, 3)"),
    ],
    "nanmedian.dim_values": [
        S("torch.nanmedian(x, 1, out=(v, n))", x="f(3, 4)", v="torch.empty(0)", n="torch.empty(0, dtype=torch.int64)"),
        S("torch.nanmedian(x, 1, out=(v, n))",
          x="f(3, 4)", v="torch.empty(0).double()", n="torch.empty(0, dtype=torch.int64)"),
    ],
}
