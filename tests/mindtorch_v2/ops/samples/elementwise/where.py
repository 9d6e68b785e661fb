"""Samples of ops/elementwise/where.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "where.self": [
        S("torch.where(c, x, y)", c="b(3, 4)", x="f(3, 4)", y="f(4)"),
        S("x.where(c, y)", x="f(3)", c="b(3)", y="f(3)"),
        S("torch.where(c, x, y)", c="b(3)", x="f(3)", y="i(3)"),
    ],
    "where.self_out": [S("torch.where(c, x, y, out=torch.empty(3))", c="b(3)", x="f(3)", y="f(3)")],
    "where.ScalarSelf": [S("torch.where(c, 1, x)", c="b(3)", x="f(3)")],
    "where.ScalarOther": [
        S("torch.where(c, x, 0.0)", c="b(3)", x="f(3)"),
        S("torch.where(c, x, 0.5)", c="b(3)", x="i(3)"),
    ],
    "where.Scalar": [S("torch.where(c, 1.0, 0)", c="b(3)")],
    "where": [S("torch.where(c)", c="b(3, 4)")],
}
