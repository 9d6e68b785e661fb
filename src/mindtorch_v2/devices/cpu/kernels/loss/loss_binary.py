# cython: annotation_typing=False
"""Cross entropy of yes-or-no answers."""

from __future__ import annotations

import numpy as np

from ... import loss
from ...layout import broadcast_into


def binary_cross_entropy(losses: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """The cross entropy of probabilities x against y; both have to lie between 0 and 1."""
    if not ((y >= 0) & (y <= 1)).all():
        raise RuntimeError("all elements of target should be between 0 and 1")
    broadcast_into(loss.bce, losses, [x, y], None)


def binary_cross_entropy_backward(slopes: np.ndarray, grad: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Derivative of binary_cross_entropy by x."""
    broadcast_into(loss.bce_backward, slopes, [grad, x, y], None, 1.0)
