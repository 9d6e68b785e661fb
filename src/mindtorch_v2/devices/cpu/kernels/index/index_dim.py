# cython: annotation_typing=False
"""Slices of one dimension by their places, and elements by their number in the whole array."""

from __future__ import annotations

import math

import numpy as np

from ... import ranges, selection
from ...array_facts import are_between, is_compact, is_half
from ...errstate import silent
from ...half_precision import rewrite, widened
from ...layout import compact

INT64 = np.dtype(np.int64)


def _slices(array: np.ndarray, places: np.ndarray, dim: int):
    """A key that names slices of one dimension; a scalar is its own only slice."""
    return (slice(None),) * dim + (places,) if array.ndim else ...


def _checked(array: np.ndarray, places: np.ndarray, dim: int, lowest: int | None, caller: str = "") -> np.ndarray:
    """Places counted from the front or, unless a lowest is given, from the back, in one dimension."""
    size = array.shape[dim] if array.ndim else 1
    places = places.reshape(-1)
    low = -size if lowest is None else lowest
    if not are_between(places, low, size):
        bad = places[(places < low) | (places >= size)]
        raise IndexError(f"{caller}index {bad[0]} is out of bounds for dimension {dim} with size {size}")
    return places


def fill_slices(out: np.ndarray, places: np.ndarray, value, dim: int) -> None:
    """A number in the named slices."""
    out[_slices(out, _checked(out, places, dim, None), dim)] = value


def copy_slices(out: np.ndarray, places: np.ndarray, source: np.ndarray, dim: int) -> None:
    """The slices of a source in place of the named ones."""
    out[_slices(out, _checked(out, places, dim, 0, "index_copy_(): "), dim)] = source


@silent
def add_slices(out: np.ndarray, places: np.ndarray, source: np.ndarray, dim: int, alpha) -> None:
    """The slices of a source, times a number, added to the named ones."""
    places = places.reshape(-1)
    if not are_between(places, 0, out.shape[dim] if out.ndim else 1):
        raise IndexError("index out of range in self")
    if is_half(out) and alpha == 1:  # torch adds up in float32
        if out.ndim and is_compact(out) and source.dtype == out.dtype and source.ndim == out.ndim:
            outer, inner = math.prod(out.shape[:dim]), math.prod(out.shape[dim + 1:])
            if selection.add_halves(out, compact(source), compact(places.astype(np.int64, copy=False)), outer,
                                    out.shape[dim], places.size, inner):
                return
        wide = widened(out)
        add_slices(wide, places, widened(source), dim, alpha)
        rewrite(out, wide)
        return
    values = source if alpha == 1 else source * np.asarray(alpha).astype(out.dtype)
    if out.ndim and out.flags.c_contiguous and values.dtype == out.dtype and values.ndim == out.ndim:
        outer, inner = math.prod(out.shape[:dim]), math.prod(out.shape[dim + 1:])
        places = compact(places.astype(np.int64, copy=False))
        selection.scatter_add(out, compact(values), places, outer, out.shape[dim], places.size, inner)
    else:
        np.add.at(out, _slices(out, places, dim), values)


def distinct(places: np.ndarray) -> np.ndarray:
    """Places without repetitions."""
    return np.unique(places)


def _check_numbers(array: np.ndarray, numbers: np.ndarray) -> None:
    size = array.size
    if not are_between(numbers, -size, size):
        bad = numbers[(numbers < -size) | (numbers >= size)]
        raise IndexError(f"out of range: tried to access index {bad.flat[0]} on a tensor of {size} "
                         "elements.")


def take(out: np.ndarray, source: np.ndarray, numbers: np.ndarray) -> None:
    """Elements by their number in the array read row by row."""
    if is_compact(source) and is_compact(numbers) and is_compact(out) and out.dtype is source.dtype \
            and numbers.dtype is INT64 and source.size \
            and selection.gather(out, source, numbers, 1, source.size, numbers.size, 1):
        return  # none is counted from the back
    _check_numbers(source, numbers)
    flat = compact(source).reshape(-1)
    if is_compact(out) and selection.located(out.reshape(-1), flat, [compact(numbers).reshape(-1)]):
        return
    np.copyto(out, flat[numbers])


@silent
def put(out: np.ndarray, numbers: np.ndarray, values: np.ndarray, accumulate: bool) -> None:
    """Elements written, or added, by their number in the array read row by row."""
    _check_numbers(out, numbers)
    if not accumulate and out.flags.c_contiguous and numbers.size:
        lines = np.broadcast_to(values, numbers.shape) if values.size != 1 else values
        selection.scatter(out, compact(lines), compact(np.asarray(numbers % out.size)), 1, out.size, numbers.size, 1)
        return
    places = np.unravel_index(numbers % max(out.size, 1), out.shape or (1,))
    written = np.atleast_1d(out)
    if accumulate:
        np.add.at(written, places, values)
    else:
        written[places] = values


def triangle_positions(out: np.ndarray, rows: int, columns: int, offset: int, lower: bool) -> None:
    """The rows and columns of the elements on a diagonal and below, or above, it."""
    if out.dtype == np.int64 and out.flags.c_contiguous:
        ranges.triangle_positions(out, rows, columns, offset, lower)
    else:
        np.copyto(out, (np.tril_indices if lower else np.triu_indices)(rows, offset, columns), casting="unsafe")
