"""Samples of ops/view/geometry_ops.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "slice_inverse": [
        S("(x * 1)[1:3].slice_inverse(y, 0, 1, 3)", x="f(4)", y="f(4)"),
        S("torch.slice_inverse(x, y, 0, 1, 3)", x="f(2)", y="f(4)"),
    ],
    "narrow_copy": [
        S("torch.narrow_copy(x, 0, 1, 2)", x="f(4, 3)"),
        S("x.narrow_copy(1, -2, 2)", x="f(4, 3)"),
        S("torch.narrow_copy(x, 0, 1, 9)", x="f(4, 3)"),
    ],
    "narrow_copy.out": [
        S("torch.narrow_copy(x, 0, 1, 2, out=torch.empty(0))", x="f(4, 3)"),
    ],
    "fill_diagonal_": [
        S("(x * 1).fill_diagonal_(2.0)", x="f(3, 4)"),
        S("(x * 1).fill_diagonal_(2, wrap=True)", x="f(7, 3)"),
        S("(x * 1).fill_diagonal_(2)", x="i(3, 3, 3)"),
        S("x.fill_diagonal_(2)", x="i(3, 3, 4)"),
        S("x.fill_diagonal_(2)", x="i(3)"),
    ],
    "sum_to_size": [
        S("x.sum_to_size(1, 4)", x="f(3, 4)"),
        S("x.sum_to_size((4,))", x="f(3, 4)"),
        S("x.sum_to_size(3, 4)", x="f(3, 4)"),
        S("x.sum_to_size(5)", x="f(3, 4)"),
        S("x.sum_to_size(())", x="i()"),
    ],
    "is_set_to": [
        S("x.is_set_to(y)", x="f(3)", y="f(3)"),
        S("x.is_set_to(x.view(3))", x="f(3)"),
    ],
    "empty_permuted": [
        S("torch.empty_permuted((2, 0, 4), (2, 0, 1))"),
    ],
    "lift": [
        S("torch.ops.aten.lift(x)", x="f(3)"),
    ],
    "lift_fresh_copy": [
        S("torch.ops.aten.lift_fresh_copy(x)", x="f(3)"),
    ],
}
