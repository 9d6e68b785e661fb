"""Samples of ops/index/combinations.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "combinations": [
        S("torch.combinations(x)", x="i(4)"),
        S("torch.combinations(x, 3)", x="f(4)"),
        S("torch.combinations(x, 2, with_replacement=True)", x="f(4)"),
        S("torch.combinations(x, 1)", x="f(4)"),
        S("torch.combinations(x, 0)", x="f(4)"),
        S("torch.combinations(x, -1)", x="f(4)"),
        S("torch.combinations(x, 2)", x="f(4, 2)"),
    ],
    "cartesian_prod": [
        S("torch.cartesian_prod(x, y)", x="f(3)", y="f(2)"),
        S("torch.cartesian_prod(x)", x="f(3)"),
        S("torch.cartesian_prod(x, y)", x="f(3)", y="f(2, 2)"),
    ],
    "vander": [
        S("torch.vander(x)", x="i(3)"),
        S("torch.vander(x, 4, increasing=True)", x="i(3).to(torch.int32)"),
        S("torch.vander(x, 0)", x="i(3)"),
        S("torch.vander(x)", x="f(3, 2)"),
        S("torch.vander(x, -1)", x="f(3)"),
    ],
}
