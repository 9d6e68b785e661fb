# cython: annotation_typing=False
"""Reading and writing at positions of several dimensions, which lie side by side after ``before`` others."""

from __future__ import annotations

import math

import numpy as np

from ... import casting, embedding, selection
from ...array_facts import is_compact
from ...errstate import silent
from ...layout import compact

FEW = 32_768  # elements up to which one thread looks for what is not zero


def _key(positions: list[np.ndarray], before: int) -> tuple:
    """Positions as NumPy reads them."""
    return (slice(None),) * before + tuple(positions)


def _out_of_bounds(array: np.ndarray, positions: list[np.ndarray], before: int) -> IndexError:
    """torch's complaint about the first position that does not exist; it counts the indexed dimensions alone."""
    sizes = array.shape[before:]
    d, bad = next((d, places[outside]) for d, places in enumerate(positions)
                  if (outside := (places < -sizes[d]) | (places >= sizes[d])).any())
    return IndexError(f"index {bad.flat[0]} is out of bounds for dimension {d} with size {sizes[d]}")


def index(out: np.ndarray, source: np.ndarray, positions: list[np.ndarray], before: int) -> None:
    """The elements at positions."""
    try:
        if len(positions) > 1:
            if before or not selection.located(out, source, positions):
                out[...] = source[_key(positions, before)]
        elif before or not (is_compact(source) and is_compact(positions[0])):
            out[...] = source.take(positions[0], before)
        else:
            _take_rows(out, source, positions[0])
    except IndexError:
        raise _out_of_bounds(source, positions, before) from None


def _take_rows(out: np.ndarray, source: np.ndarray, places: np.ndarray) -> None:
    try:
        embedding.take_rows(out, source, places)
    except IndexError:  # some count from the end
        source.take(places, 0, out)


@silent
def index_put(out: np.ndarray, positions: list[np.ndarray], values: np.ndarray, before: int, accumulate: bool) -> None:
    """Values written to positions, or added there."""
    try:
        if not accumulate:
            out[_key(positions, before)] = values
        elif len(positions) == 1 and before == 0 and out.ndim > 1 and is_compact(out) and out.dtype.char in "fd":
            _add_rows(out, positions[0], values)
        elif before == 0 and out.flags.c_contiguous and out.dtype == values.dtype:
            _add_slices(out, positions, values)
        else:
            np.add.at(out, _key(positions, before), values)
    except IndexError:
        raise _out_of_bounds(out, positions, before) from None


def _add_rows(out: np.ndarray, positions: np.ndarray, values: np.ndarray) -> None:
    """Add rows at positions, which may repeat and may count from the end."""
    values = np.broadcast_to(values, positions.shape + out.shape[1:])
    if not values.size:
        return
    flat = np.ascontiguousarray(positions).reshape(-1)
    if flat.min() < 0:
        flat = np.where(flat < 0, flat + len(out), flat)
    if flat.min() < 0 or flat.max() >= len(out):
        raise IndexError
    embedding.index_add(out.reshape(len(out), -1), flat, np.ascontiguousarray(values).reshape(flat.size, -1), 1.0)


def _add_slices(out: np.ndarray, positions: list[np.ndarray], values: np.ndarray) -> None:
    """Add at positions of the first dimensions, which may repeat and may count from the end."""
    indexed, rest = out.shape[:len(positions)], out.shape[len(positions):]
    numbers = np.zeros((), np.int64)
    for places, size in zip(positions, indexed):
        if places.size and not -size <= places.min() <= places.max() < size:
            raise IndexError
        numbers = numbers * size + np.where(places < 0, places + size, places)
    values = compact(np.broadcast_to(values, numbers.shape + rest))
    selection.scatter_add(out, values, compact(numbers), 1, math.prod(indexed), numbers.size, math.prod(rest))


def nonzero(array: np.ndarray) -> np.ndarray:
    """The positions of all elements that are not zero, dimension by dimension; a scalar has one dimension here."""
    array = array if array.ndim else array.reshape(1)
    truths = compact(array) if array.dtype.kind == "b" else np.empty(array.shape, np.bool_)
    if array.dtype.kind != "b" and not casting.cast(truths, array):
        truths = compact(array != 0)
    return selection.few_nonzero(truths) if array.size <= FEW else selection.nonzero(truths).T


def nonzero_rows(array: np.ndarray) -> np.ndarray:
    """The same positions, one to a row, column by column in memory."""
    return nonzero(array).T


def take_masked(source: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What lies where a mask of the first dimensions is true."""
    elements = selection.masked(source, mask) if source.shape == mask.shape and source.size > FEW else None
    return source[mask] if elements is None else elements


def write_columns(out: np.ndarray, columns: tuple[np.ndarray, ...]) -> None:
    """A matrix, column by column; columns beyond it are left."""
    for j in range(out.shape[1]):
        out[:, j] = columns[j]
