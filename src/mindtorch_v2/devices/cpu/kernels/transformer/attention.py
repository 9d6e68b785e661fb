# cython: annotation_typing=False
"""Gradients of the fused attention."""

from __future__ import annotations

import numpy as np

from ... import attention


def attention_grads(grad_query: np.ndarray, grad_key: np.ndarray, grad_value: np.ndarray, turned_grad: np.ndarray,
                    *saved) -> None:
    """The gradients of query, key and value; the result's own comes with positions before heads."""
    attention.attention_backward(grad_query, grad_key, grad_value, turned_grad.swapaxes(1, 2), *saved)
