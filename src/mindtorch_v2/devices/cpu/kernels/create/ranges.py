# cython: annotation_typing=False
"""Numbers in a row, rounded where torch rounds them."""

from __future__ import annotations

import numpy as np

from ... import ranges
from ...array_facts import is_compact

arange = ranges.arange
linspace = ranges.linspace


def closed_range(out: np.ndarray, start, step) -> None:
    """start, start + step, … as torch.range computes them."""
    at = np.arange(out.size, dtype=np.int64 if out.dtype.kind in "iu" else np.float64)
    _store(out, at.dtype.type(start) + at * at.dtype.type(step))


def logspace(out: np.ndarray, start, end, base: float) -> None:
    """A base to the power of numbers evenly spaced in double, between ends that the result's type holds."""
    kind, steps = out.dtype.type, out.size
    wide = complex if out.dtype.kind == "c" else float
    start, end = wide(kind(start)), wide(kind(end))
    step = (end - start) / (steps - 1)
    at = np.arange(steps)
    exponents = np.where(at < steps // 2, start + step * at, end - step * (steps - 1 - at))
    if wide is complex:
        _store(out, np.power(base, exponents))
    else:
        powers = np.empty(steps)
        ranges.powers(powers, base, exponents)
        _store(out, powers)


def _store(out: np.ndarray, values: np.ndarray) -> None:
    np.copyto(out, values.reshape(out.shape), casting="unsafe")


def fill_diagonal_ones(out: np.ndarray) -> None:
    """Ones on the diagonal of a matrix."""
    size = min(out.shape)
    if is_compact(out):
        out.reshape(-1)[:size * out.shape[1]:out.shape[1] + 1].fill(1)
    else:
        np.einsum("ii->i", out[:size, :size])[...] = 1
