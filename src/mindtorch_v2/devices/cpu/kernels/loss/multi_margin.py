"""Margins between the right classes and all others, sample by sample."""

from __future__ import annotations

import numpy as np

from ...errstate import silent

Array = np.ndarray
NONE, MEAN = 0, 1


def _table(x: Array) -> Array:
    """One row a sample, also where there is a single one without a dimension for it."""
    return x.reshape(-1, x.shape[-1]) if x.ndim else x.reshape(1, 1)


def _write_losses(out: Array, losses: Array, reduction: int) -> None:
    if reduction == NONE:
        out[...] = losses.reshape(out.shape)
    else:
        out[...] = losses.sum() / np.asarray(losses.size, losses.dtype) if reduction == MEAN else losses.sum()


def _share(grad: Array, count: int, classes: int, reduction: int) -> Array:
    """What each sample's gradient is multiplied by: one number a sample or one for all."""
    one = grad.reshape(-1) if reduction == NONE and grad.ndim else grad.reshape(-1)[:1]
    return (one / (classes * count if reduction == MEAN else classes)).astype(grad.dtype)[:, None]


def _gaps(rows: Array, target: Array, margin: float) -> tuple[Array, Array]:
    """What the class of each sample lacks to lead the others by the margin, and where it is that class itself."""
    places = target.reshape(-1, 1)
    if ((places < 0) | (places >= rows.shape[1])).any():
        raise RuntimeError("target out of range")
    gaps = rows.dtype.type(margin) - np.take_along_axis(rows, places, 1) + rows
    np.put_along_axis(gaps, places, 0, 1)
    return np.maximum(gaps, 0), places


@silent
def multi_margin_loss(out: Array, x: Array, target: Array, weight: Array | None, p: int, margin: float,
                      reduction: int) -> None:
    """The sum of all gaps of a sample, or of their squares, over the number of classes."""
    rows = _table(x)
    gaps, places = _gaps(rows, target, margin)
    if p == 2:
        gaps *= gaps
    if weight is not None:
        gaps *= weight.reshape(-1)[places]
    _write_losses(out, gaps.sum(1) / rows.dtype.type(rows.shape[1]), reduction)


@silent
def multi_margin_loss_backward(grad_input: Array, grad: Array, x: Array, target: Array, weight: Array | None, p: int,
                               margin: float, reduction: int) -> None:
    """Every class with a gap is pushed down, a sample's own is pulled up as much."""
    rows = _table(x)
    gaps, places = _gaps(rows, target, margin)
    slopes = (gaps > 0).astype(x.dtype) if p == 1 else 2 * gaps
    if weight is not None:
        slopes *= weight.reshape(-1)[places]
    np.put_along_axis(slopes, places, -slopes.sum(1, keepdims=True), 1)
    grad_input[...] = (slopes * _share(grad, *rows.shape, reduction)).reshape(grad_input.shape)


def _own(target: Array) -> Array:
    """The classes of a sample: those before the first -1."""
    ends = np.flatnonzero(target < 0)
    return target[:ends[0]] if ends.size else target


@silent
def multilabel_margin_loss_forward(output: Array, is_target: Array, x: Array, target: Array, reduction: int) -> None:
    """The sum of what a sample's classes lack to lead all others by one, over the number of classes."""
    rows, labels, marks = _table(x), _table(target), np.zeros(_table(x).shape, x.dtype)
    losses = np.zeros(len(rows), x.dtype)
    for at, (row, label) in enumerate(zip(rows, labels)):
        own = _own(label)
        marks[at, own] = 1
        others = row[marks[at] == 0]
        losses[at] = np.maximum(1 - row[own][:, None] + others, 0).sum() / rows.dtype.type(row.size)
    is_target[...] = marks.reshape(is_target.shape)
    _write_losses(output, losses, reduction)


@silent
def multilabel_margin_loss_backward(grad_input: Array, grad: Array, x: Array, target: Array, is_target: Array,
                                    reduction: int) -> None:
    """For each gap the other class is pushed down and the sample's own pulled up."""
    rows, labels, marks = _table(x), _table(target), _table(is_target)
    slopes = np.zeros(rows.shape, x.dtype)
    for slope, row, label, mark in zip(slopes, rows, labels, marks):
        own, others = _own(label), np.flatnonzero(mark == 0)
        has_gap = 1 - row[own][:, None] + row[others] > 0
        np.subtract.at(slope, own, has_gap.sum(1).astype(x.dtype))
        slope[others] += has_gap.sum(0)
    grad_input[...] = (slopes * _share(grad, *rows.shape, reduction)).reshape(grad_input.shape)
