"""Losses: negative log likelihood, and the element-by-element ones with the derivative torch gives them."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

NONE, MEAN = 0, 1


def _picked(logp: np.ndarray, target: np.ndarray, weight: np.ndarray | None,
            ignore_index: int) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Where each target's log-probability stands in (n, c, l), and its weight (0 where ignored)."""
    n, c = (1, logp.shape[0]) if logp.ndim == 1 else logp.shape[:2]
    target = target.reshape(n, -1) if target.size else target.reshape(n, 0)
    kept = target != ignore_index
    bad = kept & ((target < 0) | (target >= c))
    if bad.any():
        raise IndexError(f"Target {target[bad][0]} is out of bounds.")
    safe = np.where(kept, target, 0)
    w = kept.astype(logp.dtype) if weight is None else weight[safe] * kept
    rows, columns = np.indices(target.shape)
    return (rows, safe, columns), w


@halves_in_float32(outs=2)
def nll_forward(out: np.ndarray, total_weight: np.ndarray, logp: np.ndarray, target: np.ndarray,
                weight: np.ndarray | None, reduction: int, ignore_index: int) -> None:
    """Minus the (weighted) log-probability of each target; a mean is over the weights counted."""
    if target.size == 0:
        total_weight[...] = 0
        out[...] = np.nan if reduction == MEAN else 0
        return
    where, w = _picked(logp, target, weight, ignore_index)
    n, c, l = where[0].shape[0], logp.shape[min(logp.ndim, 2) - 1], where[0].shape[1]
    loss = np.where(w == 0, 0, -w * logp.reshape(n, c, l)[where])
    # torch leaves the total at 0 where nothing is reduced
    total_weight[...] = 0 if reduction == NONE else w.sum()
    if reduction == NONE:
        out[...] = loss.reshape(out.shape)
    else:
        with np.errstate(invalid="ignore"):
            out[...] = loss.sum() / w.sum() if reduction == MEAN else loss.sum()


@halves_in_float32(outs=1)
def nll_backward(grad_in: np.ndarray, grad_out: np.ndarray, target: np.ndarray, weight: np.ndarray | None,
                 total_weight: np.ndarray, reduction: int, ignore_index: int) -> None:
    """Writes the gradient of each target's log-probability; grad_in comes zero-filled."""
    if target.size == 0:
        return
    where, w = _picked(grad_in, target, weight, ignore_index)
    g = grad_out.reshape(w.shape) if reduction == NONE else grad_out.reshape(1, 1)
    if reduction == MEAN:
        with np.errstate(divide="ignore", invalid="ignore"):
            g = g / total_weight
    view = grad_in.reshape(w.shape[0], -1, w.shape[1])
    view[where] = np.where(w == 0, view[where], -g * w)


@halves_in_float32(outs=1)
def mse(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """(a - b) squared."""
    np.square(a - b, out=out)


@halves_in_float32(outs=1)
def mse_backward(grad_in: np.ndarray, grad_out: np.ndarray, a: np.ndarray, b: np.ndarray, norm: float) -> None:
    """2 (a - b) grad_out norm; norm is 1/numel for a mean, else 1."""
    grad_in[...] = 2 * (a - b) * (grad_out * grad_in.dtype.type(norm))


@halves_in_float32(outs=1)
def smooth_l1(out: np.ndarray, a: np.ndarray, b: np.ndarray, beta: float) -> None:
    """Square over 2 beta inside beta, a straight line outside."""
    d = np.abs(a - b)
    with np.errstate(divide="ignore", invalid="ignore"):
        out[...] = np.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)


@halves_in_float32(outs=1)
def smooth_l1_backward(grad_in: np.ndarray, grad_out: np.ndarray, a: np.ndarray, b: np.ndarray,
                       norm: float, beta: float) -> None:
    """Derivative of smooth_l1 with respect to a."""
    d, g = a - b, norm * grad_out
    with np.errstate(divide="ignore", invalid="ignore"):
        grad_in[...] = np.where(d <= -beta, -g, np.where(d >= beta, g, d * g / beta))


@halves_in_float32(outs=1)
def huber(out: np.ndarray, a: np.ndarray, b: np.ndarray, delta: float) -> None:
    """Half the square inside delta, a straight line outside."""
    d = np.abs(a - b)
    out[...] = np.where(d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta))


@halves_in_float32(outs=1)
def huber_backward(grad_in: np.ndarray, grad_out: np.ndarray, a: np.ndarray, b: np.ndarray,
                   norm: float, delta: float) -> None:
    """Derivative of huber with respect to a."""
    grad_in[...] = norm * grad_out * np.clip(a - b, -delta, delta)


@halves_in_float32(outs=1)
def bce(out: np.ndarray, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> None:
    """Binary cross entropy of the probability x against y."""
    if not ((x >= 0) & (x <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    with np.errstate(divide="ignore"):
        # both logarithms are cut at -100, so that 0 * log(0) stays 0
        yes, no = np.maximum(np.log(x), -100), np.maximum(np.log1p(-x), -100)
    out[...] = (y - 1) * no - y * yes
    if weight is not None:
        out *= weight


@halves_in_float32(outs=1)
def bce_backward(grad_in: np.ndarray, grad_out: np.ndarray, x: np.ndarray, y: np.ndarray,
                 weight: np.ndarray | None, norm: float) -> None:
    """Derivative of bce with respect to x."""
    # torch keeps the quotient finite where x is exactly 0 or 1
    grad_in[...] = norm * grad_out * (x - y) / np.maximum(x * (1 - x), 1e-12)
    if weight is not None:
        grad_in *= weight
