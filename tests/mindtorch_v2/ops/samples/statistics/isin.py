"""Samples of ops/statistics/isin.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "isin.Tensor_Tensor": [
        S("torch.isin(x, y)", x="i(3, 4)", y="i(4)"),
        S("torch.isin(x, y, invert=True)", x="i(3, 4, high=60)", y="i(40, high=60)"),
        S("torch.isin(x, y)", x="i(3, 4, high=60)", y="i(40, high=60)"),
        S("torch.isin(x, y, assume_unique=True)", x="i(3, 4, high=60)", y="i(40, high=60)"),
        S("torch.isin(x, y)", x="f(3, 4)", y="i(2)"),
        S("torch.isin(x, y)", x="h(3)", y="h(3)"),
        S("torch.isin(x, y)", x="i()", y="i(3)"),
        S("torch.isin(x, y)", x="i(0)", y="i(3)"),
        S("torch.isin(x, y)", x="i(3, 4)", y="torch.empty(0)"),
        S("torch.isin(x, y)", x="c(3)", y="c(3)"),
        S("torch.isin(x, y)", x="b(3)", y="b(3)"),
    ],
    "isin.Tensor_Tensor_out": [
        S("torch.isin(x, y, out=torch.empty(0, dtype=torch.bool))", x="i(3, 4)", y="i(4)"),
        S("torch.isin(x, y, out=torch.empty(0))", x="i(3, 4)", y="i(4)"),
    ],
    "isin.Scalar_Tensor": [
        S("torch.isin(2, y)", y="i(3)"),
        S("torch.isin(2.5, y, invert=True)", y="f(40)"),
    ],
    "isin.Scalar_Tensor_out": [
        S("torch.isin(2, y, out=torch.empty(0, dtype=torch.bool))", y="i(3)"),
    ],
    "isin.Tensor_Scalar": [
        S("torch.isin(x, 2)", x="i(3, 4)"),
        S("torch.isin(x, 2, invert=True)", x="f(3, 4)"),
    ],
    "isin.Tensor_Scalar_out": [
        S("torch.isin(x, 2, out=torch.empty(0, dtype=torch.bool))", x="i(3, 4)"),
    ],
}
