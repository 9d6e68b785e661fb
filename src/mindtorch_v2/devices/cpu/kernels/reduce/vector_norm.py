# cython: annotation_typing=False
"""Norms of vectors for every p."""

from __future__ import annotations

import math

import numpy as np

from ... import sums
from ...errstate import silent
from ...half_precision import widened
from .sums import has_loop

LOOPS = {1: sums.size_total, 2: sums.root_of_squares, math.inf: sums.largest_size}


def vector_norm(out: np.ndarray, source: np.ndarray, p: float, dims: tuple[int, ...]) -> None:
    """The p-norm over some dimensions, which the result keeps."""
    loop = LOOPS.get(p)
    if loop is not None and has_loop(source) and source.dtype is out.dtype:
        loop(out, source, dims)
    else:
        np.copyto(out, _norm(widened(source), p, dims).reshape(out.shape), casting="unsafe")


def power_sum(out: np.ndarray, source: np.ndarray, p: float, dims: tuple[int, ...]) -> None:
    """The sum of absolute values to the power p; of no power, how many there are."""
    np.copyto(out, _power_sum(widened(source), p, dims).reshape(out.shape), casting="unsafe")


@silent
def _power_sum(source: np.ndarray, p: float, dims: tuple[int, ...]) -> np.ndarray:
    size = np.abs(source)
    return np.add.reduce(size != 0 if p == 0 else size ** p, axis=dims, dtype=size.dtype, keepdims=True)


@silent
def _norm(source: np.ndarray, p: float, dims: tuple[int, ...]) -> np.ndarray:
    size = np.abs(source)
    if p == math.inf:
        return np.maximum.reduce(size, axis=dims, keepdims=True)
    if p == -math.inf:
        return np.minimum.reduce(size, axis=dims, keepdims=True)
    if p == 0:
        return np.add.reduce(size != 0, axis=dims, dtype=size.dtype, keepdims=True)
    if p == 1:
        return np.add.reduce(size, axis=dims, keepdims=True)
    if p == 2:
        return np.sqrt(np.add.reduce(size * size, axis=dims, keepdims=True))
    return np.add.reduce(size ** p, axis=dims, keepdims=True) ** (1.0 / p)
