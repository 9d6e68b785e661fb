# cython: annotation_typing=False
"""Negative log likelihood of classes: compiled loops on targets of any integer type."""

from __future__ import annotations

import numpy as np

from ... import loss
from ...layout import compact

INT64 = np.dtype(np.int64)


def _labels(target: np.ndarray) -> np.ndarray:
    """Targets as the loops read them."""
    return compact(target) if target.dtype is INT64 else target.astype(INT64, order="C")


def nll_loss_forward(output: np.ndarray, total_weight: np.ndarray, logp: np.ndarray, target: np.ndarray,
                     weight: np.ndarray | None, reduction: int, ignore_index: int) -> None:
    """Minus the (weighted) log-probability of each target, and the sum of the weights."""
    loss.nll_forward(output, total_weight, compact(logp), _labels(target), weight, reduction, ignore_index)


def nll_loss_backward(grad_input: np.ndarray, grad: np.ndarray, target: np.ndarray, weight: np.ndarray | None,
                      total_weight: np.ndarray, reduction: int, ignore_index: int) -> None:
    """The gradient of each target's log-probability; ``grad_input`` comes filled with zeros."""
    in_order = grad_input if grad_input.flags.c_contiguous else np.zeros(grad_input.shape, grad_input.dtype)
    loss.nll_backward(in_order, compact(grad), _labels(target), weight, total_weight, reduction, ignore_index)
    if in_order is not grad_input:
        grad_input[...] = in_order
