"""Attention with masks, causality, shared heads and any strides; small heads in loops, large ones by matmul."""
from __future__ import annotations

import numpy as np
import pytest

LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-6}
# batch, heads of q, heads of k and v, queries, keys, width of a key, width of a value
SIZES = [(2, 4, 4, 5, 7, 8, 8), (2, 4, 2, 6, 6, 4, 12), (1, 1, 1, 1, 1, 1, 1), (2, 2, 2, 0, 3, 4, 4),
         (1, 2, 1, 70, 70, 16, 16), (2, 4, 2, 40, 64, 32, 16)]
LAYOUTS = {"of_transposed": (0, 2, 1, 3), "contiguous": (0, 1, 2, 3), "scattered": (0, 3, 1, 2)}


def test_equals_torch(replay, fact):
    replay(fact)


def masks(kind, drawn, size, dtype):
    b, _, _, l, s = size[:5]
    if kind == "boolean":
        mask = drawn((b, 1, l, s)) > 0
        mask[:, :, :1] = False
        return mask
    return drawn((l, s), dtype) if kind == "added" else None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", [None, "added", "boolean"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_compiled_equals_reference(agree, drawn, size, kind, causal, layout, dtype):
    b, h, kv, l, s, e, ev = size

    def make(*shape):
        order = LAYOUTS[layout]
        return drawn([shape[i] for i in order], dtype).transpose(np.argsort(order))

    q, k, v, g, mask = make(b, h, l, e), make(b, kv, s, e), make(b, kv, s, ev), make(b, h, l, ev), None
    mask, lse = masks(kind, drawn, size, dtype), np.zeros((b, h, l), np.float64 if dtype == np.float64 else np.float32)
    agree("attention", make(b, h, l, ev), lse, q, k, v, mask, causal, 0.3, of_largest=LOOSE[dtype.name])
    # any log-sum-exp will do, as long as the probabilities stay moderate
    lse += 8
    agree("attention_backward", make(b, h, l, e), make(b, kv, s, e), make(b, kv, s, ev), g, q, k, v, make(b, h, l, ev),
          lse, mask, causal, 0.3, of_largest=LOOSE[dtype.name])


@pytest.mark.parametrize("length", [4, 80])
def test_a_query_with_no_key_left_gives_zero(kernels, drawn, length):
    q = drawn((1, 1, length, 8))
    out, lse = np.ones_like(q), np.ones((1, 1, length), np.float32)
    kernels.attention(out, lse, q, q, q, np.zeros((length, length), bool), False, 0.3)
    assert not out.any() and not lse.any()


@pytest.mark.parametrize("length", [4, 80])
def test_causal_queries_do_not_see_later_keys(kernels, drawn, length):
    q, k, v = (drawn((1, 1, length, 8)) for _ in range(3))
    out, changed, lse = np.empty_like(q), np.empty_like(q), np.empty((1, 1, length), np.float32)
    kernels.attention(out, lse, q, k, v, None, True, 0.3)
    k[:, :, -1], v[:, :, -1] = 1e3, -1e3
    kernels.attention(changed, lse, q, k, v, None, True, 0.3)
    np.testing.assert_array_equal(changed[:, :, :-1], out[:, :, :-1])
    assert (changed[:, :, -1] != out[:, :, -1]).any()


def test_heads_that_do_not_divide_are_refused(kernels, drawn):
    q, k = drawn((1, 3, 2, 4)), drawn((1, 2, 2, 4))
    with pytest.raises(ValueError, match="^attention"):
        kernels.attention(np.empty_like(q), np.empty((1, 3, 2), np.float32), q, k, k, None, False, 1.0)
