"""Samples of ops/index/unsafe_index.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "_unsafe_index.Tensor": [
        S("torch.ops.aten._unsafe_index(x, [y])", x="f(3, 4)", y="i(2, high=3)"),
    ],
    "_unsafe_index_put": [
        S("torch.ops.aten._unsafe_index_put(x, [y], z)", x="f(3, 4)", y="i(2, high=3)", z="f(4)"),
    ],
    "_unsafe_masked_index": [
        S("torch.ops.aten._unsafe_masked_index(x, m, [y], 0)", x="f(3)", y="i(2, high=3)", m="b(2)"),
    ],
    "_unsafe_masked_index_put_accumulate": [
        S("torch.ops.aten._unsafe_masked_index_put_accumulate(x, m, [y], z)",
          x="f(3)", y="i(2, high=3)", m="b(2)", z="f(2)"),
    ],
}
