"""Margins between the right classes and all others: compiled loops over samples, whose losses are put together here."""

from __future__ import annotations

import numpy as np

from ... import margins
from ...errstate import silent

Array = np.ndarray
NONE, MEAN = 0, 1


def _table(x: Array) -> Array:
    """One row a sample, also where there is a single one without a dimension for it."""
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1]) if x.ndim else x.reshape(1, 1)


def _write_losses(out: Array, losses: Array, reduction: int) -> None:
    if reduction == NONE:
        out[...] = losses.reshape(out.shape)
    else:
        out[...] = losses.sum() / np.asarray(losses.size, losses.dtype) if reduction == MEAN else losses.sum()


def _share(grad: Array, count: int, classes: int, reduction: int) -> Array:
    """What each sample's gradient is multiplied by: one number a sample or one for all."""
    one = grad.reshape(-1) if reduction == NONE and grad.ndim else grad.reshape(-1)[:1]
    return (one / (classes * count if reduction == MEAN else classes)).astype(grad.dtype)


def _classes(target: Array, rows: Array) -> Array:
    """Targets as the loops read them."""
    places = np.ascontiguousarray(target, np.int64).reshape(-1)
    if places.size and (places.min() < 0 or places.max() >= rows.shape[1]):
        raise RuntimeError("target out of range")
    return places


@silent
def multi_margin_loss(out: Array, x: Array, target: Array, weight: Array | None, p: int, margin: float,
                      reduction: int) -> None:
    """The sum of all gaps of a sample, or of their squares, over the number of classes."""
    rows = _table(x)
    losses = np.empty(len(rows), x.dtype)
    margins.multi_margin(losses, rows, _classes(target, rows), _weights(weight), p, margin)
    _write_losses(out, losses, reduction)


def _weights(weight: Array | None) -> Array | None:
    return None if weight is None else np.ascontiguousarray(weight).reshape(-1)


@silent
def multi_margin_loss_backward(grad_input: Array, grad: Array, x: Array, target: Array, weight: Array | None, p: int,
                               margin: float, reduction: int) -> None:
    """Every class with a gap is pushed down, a sample's own is pulled up as much."""
    rows = _table(x)
    slopes = np.empty(rows.shape, x.dtype)
    margins.multi_margin_backward(slopes, _share(grad, *rows.shape, reduction), rows, _classes(target, rows),
                                  _weights(weight), p, margin)
    grad_input[...] = slopes.reshape(grad_input.shape)


@silent
def multilabel_margin_loss_forward(output: Array, is_target: Array, x: Array, target: Array, reduction: int) -> None:
    """The sum of what a sample's classes lack to lead all others by one, over the number of classes."""
    rows = _table(x)
    losses, marks = np.empty(len(rows), x.dtype), np.zeros(rows.shape, x.dtype)
    margins.multilabel_margin(losses, marks, rows, _table(target).astype(np.int64, copy=False))
    is_target[...] = marks.reshape(is_target.shape)
    _write_losses(output, losses, reduction)


@silent
def multilabel_margin_loss_backward(grad_input: Array, grad: Array, x: Array, target: Array, is_target: Array,
                                    reduction: int) -> None:
    """For each gap the other class is pushed down and the sample's own pulled up."""
    rows = _table(x)
    slopes = np.zeros(rows.shape, x.dtype)
    margins.multilabel_margin_backward(slopes, _share(grad, *rows.shape, reduction), rows,
                                       _table(target).astype(np.int64, copy=False), _table(is_target))
    grad_input[...] = slopes.reshape(grad_input.shape)
