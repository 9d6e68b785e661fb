# cython: annotation_typing=False
"""Indices drawn as likely as their weights."""

from __future__ import annotations

import math

import numpy as np

from ... import random, sums
from ...errstate import silent

REALS = "fd"  # the types whose sums are compiled


def draw_with_replacement(out: np.ndarray, engine: random.Engine, weights: np.ndarray) -> None:
    """A uniform number for each sample, looked up in the sums of its row's weights."""
    rows = np.ascontiguousarray(np.atleast_2d(weights))
    _check_weights(rows)
    drawn = np.empty((len(rows), out.shape[-1]), out.dtype)
    random.multinomial(engine, drawn, rows, True)
    out[...] = drawn.reshape(out.shape)


def _check_weights(rows: np.ndarray) -> None:
    if not (rows >= 0).all():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.isfinite(rows).all():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    if not (rows.sum(axis=-1, dtype=np.float64) > 0).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def are_weights(array: np.ndarray) -> bool:
    """Whether rows of whole floats tell how likely each element is: none below zero or infinite, and not all zero."""
    if array.dtype.char not in REALS or not array.size:
        return False
    lowest, highest = np.empty((), array.dtype), np.empty((), array.dtype)
    totals = np.empty(array.shape[:-1], array.dtype)
    dims = tuple(range(array.ndim))
    sums.smallest(lowest, array, dims)
    sums.largest(highest, array, dims)
    sums.total(totals, array, dims[-1:])
    return bool(lowest >= 0 and highest < math.inf and totals.all())


@silent
def first_of_weighted_race(out: np.ndarray, weights: np.ndarray, race: np.ndarray) -> None:
    """The same of weights over waiting times, which are written over."""
    np.divide(weights, race, race)
    first_of_race(out, race)


def first_of_race(out: np.ndarray, race: np.ndarray) -> None:
    """Where the largest element of each row is, the last dimension kept."""
    race.argmax(-1, out, keepdims=True)


def leaders_of_race(values: np.ndarray, indices: np.ndarray, race: np.ndarray) -> None:
    """The largest elements of each row and where they are, as many as there is room for."""
    order = np.argsort(-race.astype(np.float64), axis=-1, kind="stable")[..., :indices.shape[-1]]
    indices[...] = order
    values[...] = np.take_along_axis(race, order, -1)
