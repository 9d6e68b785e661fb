# cython: annotation_typing=False
"""Losses of two arrays compared element by element, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import loss
from ...layout import broadcast_into


def mse_loss(losses: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """(x - y) squared."""
    broadcast_into(loss.mse, losses, [x, y])


def smooth_l1_loss(losses: np.ndarray, x: np.ndarray, y: np.ndarray, beta: float) -> None:
    """Square over 2 beta within beta, a straight line outside."""
    broadcast_into(loss.smooth_l1, losses, [x, y], beta)


def huber_loss(losses: np.ndarray, x: np.ndarray, y: np.ndarray, delta: float) -> None:
    """Half the square within delta, a straight line outside."""
    broadcast_into(loss.huber, losses, [x, y], delta)


def _write_slopes(loop: Callable, slopes: np.ndarray, x: np.ndarray, y: np.ndarray, grad: np.ndarray, *numbers) -> None:
    """Run the loop of a derivative; it takes one gradient for every element as it is."""
    if grad.ndim:
        broadcast_into(loop, slopes, [grad, x, y], *numbers)
    else:
        broadcast_into(lambda out, a, b: loop(out, grad, a, b, *numbers), slopes, [x, y])


def mse_loss_backward(slopes: np.ndarray, x: np.ndarray, y: np.ndarray, grad: np.ndarray, norm: float) -> None:
    """Derivative of mse_loss by x, times a norm: one over the number of elements for a mean."""
    _write_slopes(loss.mse_backward, slopes, x, y, grad, norm)


def smooth_l1_loss_backward(slopes: np.ndarray, x: np.ndarray, y: np.ndarray, grad: np.ndarray, norm: float,
                            beta: float) -> None:
    """Derivative of smooth_l1_loss by x."""
    _write_slopes(loss.smooth_l1_backward, slopes, x, y, grad, norm, beta)


def huber_loss_backward(slopes: np.ndarray, x: np.ndarray, y: np.ndarray, grad: np.ndarray, norm: float,
                        delta: float) -> None:
    """Derivative of huber_loss by x."""
    _write_slopes(loss.huber_backward, slopes, x, y, grad, norm, delta)
