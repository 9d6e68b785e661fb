"""Samples of ops/elementwise/minmax_pointwise.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "maximum": [
        S("torch.maximum(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.maximum(x, y)", x="f(3)", y="i(3)"),
        S("torch.maximum(x, y)", x="b(3)", y="b(3)"),
    ],
    "maximum.out": [S("torch.maximum(x, y, out=torch.empty(0))", x="f(3)", y="f(3)")],
    "minimum": [
        S("torch.minimum(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.minimum(x, y)", x="f(3)", y="i(3)"),
        S("torch.minimum(x, y)", x="b(3)", y="b(3)"),
    ],
    "minimum.out": [S("torch.minimum(x, y, out=torch.empty(0))", x="f(3)", y="f(3)")],
    "fmax": [
        S("torch.fmax(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.fmax(x, y)", x="f(3)", y="i(3)"),
        S("torch.fmax(x, y)", x="b(3)", y="b(3)"),
    ],
    "fmax.out": [S("torch.fmax(x, y, out=torch.empty(0))", x="f(3)", y="f(3)")],
    "fmin": [
        S("torch.fmin(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.fmin(x, y)", x="f(3)", y="i(3)"),
        S("torch.fmin(x, y)", x="b(3)", y="b(3)"),
    ],
    "fmin.out": [S("torch.fmin(x, y, out=torch.empty(0))", x="f(3)", y="f(3)")],
}
