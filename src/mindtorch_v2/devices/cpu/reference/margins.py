"""Losses by margins, sample by sample: what a right class lacks to lead each other one is a gap."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _gaps(x: Array, target: Array, margin: float) -> tuple[Array, Array]:
    """All gaps of each sample, and where its own class is."""
    places = target.reshape(-1, 1)
    if ((places < 0) | (places >= x.shape[1])).any():
        raise IndexError("margins: a class that is not there")
    gaps = x.dtype.type(margin) - np.take_along_axis(x, places, 1) + x
    np.put_along_axis(gaps, places, 0, 1)
    return np.where(gaps > 0, gaps, 0), places


def multi_margin(losses: Array, x: Array, target: Array, weight: Array | None, p: int, margin: float) -> None:
    """The sum of all gaps of a sample, or of their squares, over the number of classes."""
    gaps, places = _gaps(x, target, margin)
    sums = (np.square(gaps) if p == 2 else gaps).sum(1)
    losses[...] = sums * (1 if weight is None else weight[places[:, 0]]) / x.dtype.type(x.shape[1])


def multi_margin_backward(slopes: Array, share: Array, x: Array, target: Array, weight: Array | None, p: int,
                          margin: float) -> None:
    """Every class with a gap is pushed down, a sample's own is pulled up as much, times the sample's share."""
    gaps, places = _gaps(x, target, margin)
    slopes[...] = (gaps > 0).astype(x.dtype) if p == 1 else 2 * gaps
    np.put_along_axis(slopes, places, -slopes.sum(1, keepdims=True), 1)
    slopes *= share.reshape(-1, 1) * (1 if weight is None else weight[places])


def _own(target: Array) -> Array:
    """The classes of a sample: those before the first -1."""
    ends = np.flatnonzero(target < 0)
    return target[:ends[0]] if ends.size else target


def multilabel_margin(losses: Array, marks: Array, x: Array, target: Array) -> None:
    """The sum of what a sample's classes, which end with -1, lack to lead all others by one, over the number of
    classes; marks, which come as zeros, become one where a class is a sample's own."""
    for at, (row, labels) in enumerate(zip(x, target)):
        own = _own(labels)
        marks[at, own] = 1
        gaps = 1 - row[own][:, None] + row[marks[at] == 0]
        losses[at] = np.where(gaps > 0, gaps, 0).sum() / x.dtype.type(row.size)


def multilabel_margin_backward(slopes: Array, share: Array, x: Array, target: Array, marks: Array) -> None:
    """For each gap the other class is pushed down and the sample's own pulled up; slopes come as zeros."""
    for slope, row, labels, mark in zip(slopes, x, target, marks):
        own, others = _own(labels), np.flatnonzero(mark == 0)
        has_gap = 1 - row[own][:, None] + row[others] > 0
        np.subtract.at(slope, own, has_gap.sum(1).astype(x.dtype))
        slope[others] += has_gap.sum(0)
    slopes *= share.reshape(-1, 1)
