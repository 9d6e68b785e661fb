"""Samples of ops/statistics/renorm.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "renorm": [
        S("torch.renorm(x, 2, 0, 1.0)", x="f(3, 4)"),
        S("torch.renorm(x, 1, 1, 1.0)", x="f(3, 4)"),
        S("torch.renorm(x, 2, 0, 1.0)", x="h(3, 4)"),
        S("torch.renorm(x, 2, 0, 1.0)", x="c(3, 4)"),
        S('torch.renorm(x, float("inf"), 1, 1.0)', x="f(3, 4)"),
        S("x.renorm(1.5, 1, 1.0)", x="f(3, 4, 2)"),
        S("torch.renorm(x, 2, 0, 100.0)", x="f(4, 3).t()"),
        S("torch.renorm(x, 2, 0, 1.0)", x="i(3, 4)"),
        S("torch.renorm(x, -2, 0, 1.0)", x="f(3, 4)"),
        S("torch.renorm(x, 2, 0, -1.0)", x="f(3, 4)"),
        S("torch.renorm(x, 2, 0, 1.0)", x="f(3)"),
    ],
    "renorm_": [
        S("(x * 1).renorm_(2, 0, 1.0)", x="f(3, 4)"),
    ],
    "renorm.out": [
        S("torch.renorm(x, 1, 1, 1.0, out=torch.empty(0))", x="f(3, 4)"),
    ],
}
