"""Samples of ops/index/positions.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "tril_indices": [
        S("torch.tril_indices(3, 4)"),
        S("torch.tril_indices(3, 4, -1, dtype=torch.int32)"),
        S("torch.tril_indices(4, 3, 2)"),
        S("torch.tril_indices(0, 4)"),
        S("torch.tril_indices(-3, 4)"),
        S("torch.tril_indices(3, 4, dtype=torch.float32)"),
    ],
    "triu_indices": [
        S("torch.triu_indices(3, 4, 1)"),
        S("torch.triu_indices(4, 3, -2)"),
    ],
    "nonzero_static": [
        S("torch.nonzero_static(x, size=4)", x="i(3, 4, high=2)"),
        S("x.nonzero_static(size=40, fill_value=7)", x="i(3, 4, high=2)"),
        S("torch.nonzero_static(x, size=0)", x="i(3, 4)"),
        S("torch.nonzero_static(x, size=2)", x="i()"),
        S("torch.nonzero_static(x, size=-2)", x="i(3)"),
    ],
    "nonzero_static.out": [
        S("torch.nonzero_static(x, size=4, out=torch.empty(0, dtype=torch.int64))", x="i(3, 4, high=2)"),
    ],
}
