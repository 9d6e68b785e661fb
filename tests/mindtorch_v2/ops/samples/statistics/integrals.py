"""Samples of ops/statistics/integrals.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "trapezoid.x": [
        S("torch.trapezoid(y, x)", x="f(4)", y="f(3, 4)"),
        S("torch.trapezoid(y, x)", x="f(3, 4)", y="f(3, 4)"),
        S("torch.trapezoid(y, x, dim=1)", x="f(4, 1)", y="f(3, 4, 2)"),
        S("torch.trapezoid(y, x)", x="f(3)", y="f(3, 4)"),
        S("torch.trapezoid(y, x)", x="b(4)", y="f(3, 4)"),
    ],
    "trapezoid.dx": [
        S("torch.trapezoid(y)", y="f(3, 4)"),
        S("torch.trapezoid(y, dx=2.0, dim=0)", y="i(3, 4)"),
        S("torch.trapezoid(y)", y="f(0)"),
        S("torch.trapezoid(y)", y="b(3)"),
        S("torch.trapezoid(y, dx=1j)", y="f(3)"),
    ],
    "trapz.x": [
        S("torch.trapz(y, x)", x="f(4)", y="f(3, 4)"),
    ],
    "trapz.dx": [
        S("torch.trapz(y, dx=2)", y="f(3, 4)"),
    ],
    "cumulative_trapezoid.x": [
        S("torch.cumulative_trapezoid(y, x)", x="f(4)", y="f(3, 4)"),
        S("torch.cumulative_trapezoid(y, x)", x="f(5)", y="f(3, 4)"),
    ],
    "cumulative_trapezoid.dx": [
        S("torch.cumulative_trapezoid(y)", y="f(3, 4)"),
        S("torch.cumulative_trapezoid(y, dx=2.0, dim=0)", y="f(3, 4)"),
        S("torch.cumulative_trapezoid(y)", y="b(3, 4)"),
    ],
}
