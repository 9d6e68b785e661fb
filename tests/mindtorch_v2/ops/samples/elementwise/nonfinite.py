"""Samples of ops/elementwise/nonfinite.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "isnan": [S("torch.isnan(x.round() / 0)", x="f(3, 4)"), S("x.isnan()", x="i(3)")],
    "isinf": [S("torch.isinf(x.round() / 0)", x="f(3, 4)"), S("x.isinf()", x="i(3)")],
    "isfinite": [S("torch.isfinite(x.round() / 0)", x="f(3, 4)"), S("x.isfinite()", x="i(3)")],
    "isreal": [S("torch.isreal(x)", x="f(3, 4)"), S("x.isreal()", x="i(3)")],
    "isposinf": [S("torch.isposinf(x.round() / 0)", x="f(3, 4)"), S("x.isposinf()", x="i(3)")],
    "isneginf": [S("torch.isneginf(x.round() / 0)", x="f(3, 4)"), S("x.isneginf()", x="i(3)")],
    "signbit": [S("torch.signbit(x.round() / 0)", x="f(3, 4)"), S("x.signbit()", x="i(3)")],
    "isposinf.out": [S("torch.isposinf(x, out=torch.empty(0, dtype=torch.bool))", x="f(3, 4)")],
    "isneginf.out": [S("torch.isneginf(x, out=torch.empty(0, dtype=torch.bool))", x="f(3, 4)")],
    "signbit.out": [S("torch.signbit(x, out=torch.empty(0, dtype=torch.bool))", x="f(3, 4)")],
    "nan_to_num": [
        S("torch.nan_to_num(x.round() / 0)", x="f(3, 4)"),
        S("x.nan_to_num(1.0, 2.0, -2.0)", x="f()"),
        S("x.nan_to_num()", x="i(3)"),
    ],
    "nan_to_num_": [S("(x.round() / 0).nan_to_num_(0.5)", x="f(3, 4)")],
    "nan_to_num.out": [S("torch.nan_to_num(x, out=torch.empty(3, 4))", x="f(3, 4)")],
}
