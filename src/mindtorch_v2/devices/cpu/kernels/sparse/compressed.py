"""Compressed layouts: where rows or columns begin, blocks, and what must hold of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

Array = np.ndarray
OUTSIDE = ("the indices of a compressed sparse tensor lead outside of it; check_invariants=True says which of them "
           "when it is made")


def merged(array: Array, kept: int) -> Array:
    """All dimensions but the last few as one; reshape() cannot tell how large it is where another is 0."""
    lead = array.ndim - kept
    return array.reshape(prod(array.shape[:lead]), *array.shape[lead:])


def row_starts(rows: Array, count: int) -> Array:
    """Where each row begins among indices in order, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)


def write_row_starts(out: Array, rows: Array, count: int) -> None:
    """The same into an array."""
    out[...] = row_starts(rows, count)


def _lines(compressed: Array) -> Array:
    """The row (or column) of each element."""
    return np.repeat(np.arange(len(compressed) - 1), np.diff(compressed))


def _batches(*parts: tuple[Array, int]) -> zip:
    """Parts of every batch; each comes with the number of its dimensions behind those of batches."""
    return zip(*[merged(part, kept) for part, kept in parts])


def expand_rows(out: Array, compressed: Array, plain: Array, transpose: bool) -> None:
    """Coordinates of every element, those of batches first."""
    shape, nnz, at = compressed.shape[:-1], plain.shape[-1], 0
    for number, (starts, others) in enumerate(_batches((compressed, 1), (plain, 1))):
        columns = out[:, at:at + nnz]
        for dim, index in enumerate(np.unravel_index(number, shape) if shape else ()):
            columns[dim] = index
        columns[-1 if transpose else -2] = _lines(starts)
        columns[-2 if transpose else -1] = others
        at += nnz


def elements_of_blocks(out: Array, indices: Array, height: int, width: int) -> None:
    """Coordinates of the elements of blocks, block by block."""
    rows = indices[-2][:, None, None] * height + np.arange(height)[:, None]
    columns = indices[-1][:, None, None] * width + np.arange(width)
    shape = (indices.shape[1], height, width)
    out[:-2] = np.repeat(indices[:-2], height * width, axis=1)  # of batches
    out[-2] = np.broadcast_to(rows, shape).reshape(-1)
    out[-1] = np.broadcast_to(columns, shape).reshape(-1)


def write_compressed(out: Array, compressed: Array, plain: Array, values: Array, layout: str, is_blocked: bool) -> None:
    """The elements of a compressed layout into zeros."""
    for matrix, places, elements in _placed(out, compressed, plain, values, layout, is_blocked):
        np.add.at(matrix, places, elements)


def read_compressed(values: Array, source: Array, compressed: Array, plain: Array, layout: str,
                    is_blocked: bool) -> None:
    """The elements of an array at the places of a compressed layout."""
    for matrix, places, elements in _placed(source, compressed, plain, values, layout, is_blocked):
        elements[...] = matrix[places]


def _placed(array: Array, compressed: Array, plain: Array, values: Array, layout: str,
            is_blocked: bool) -> Iterator[tuple[Array, tuple, Array]]:
    """Each matrix of a batch, by blocks where there are some, with the places of its elements and these."""
    batch = compressed.ndim - 1
    matrices = merged(array, array.ndim - batch)
    parts = _batches((compressed, 1), (plain, 1), (values, values.ndim - batch))
    for matrix, (starts, others, elements) in zip(matrices, parts):
        lines = _lines(starts)
        if is_blocked:
            height, width = elements.shape[1:3]
            shape = (matrix.shape[0] // height, height, matrix.shape[1] // width, width, *matrix.shape[2:])
            matrix = matrix.reshape(shape).swapaxes(1, 2)
        yield matrix, (lines, others) if layout in ("sparse_csr", "sparse_bsr") else (others, lines), elements


def compress(array: Array, batch: int, blocksize: tuple[int, int], by_rows: bool,
             is_blocked: bool) -> tuple[Array, Array, Array] | None:
    """Beginnings, other indices and values of the blocks with anything but zeros; None if batches differ in number."""
    lead, (height, width) = array.shape[:batch], blocksize
    dense = array.shape[batch + 2:]
    shape = (prod(lead), array.shape[batch] // height, height, array.shape[batch + 1] // width, width, *dense)
    blocks = array.reshape(shape).swapaxes(2, 3)
    if not by_rows:
        blocks = blocks.swapaxes(1, 2)
    parts = []
    for matrix in blocks:
        kept = (matrix != 0).any(axis=tuple(range(2, matrix.ndim)))
        lines, others = np.nonzero(kept)
        values = matrix[lines, others]
        parts.append((row_starts(lines, kept.shape[0]), others,
                      values if is_blocked else values.reshape(len(lines), *dense)))
    if len({len(others) for _, others, _ in parts}) > 1:
        return None
    starts, others, values = [np.stack(part) for part in zip(*parts)]
    return tuple(part.reshape(*lead, *part.shape[1:]) for part in (starts, others, np.ascontiguousarray(values)))


def turn_compressed(compressed: Array, plain: Array, values: Array, count: int) -> tuple[Array, Array, Array]:
    """Rows as columns, or columns as rows, of which there are so many: parts of a matrix, or of a batch of them."""
    kept = values.ndim - plain.ndim + 1
    starts = np.zeros((*plain.shape[:-1], count + 1), plain.dtype)
    others, elements = np.empty_like(plain), np.empty_like(values)
    into = _batches((starts, 1), (others, 1), (elements, kept))
    for (begins, lines, kept_values), (old, across, source) in zip(
            into, _batches((compressed, 1), (plain, 1), (values, kept))):
        order = np.argsort(across, kind="stable")
        begins[...] = row_starts(across[order], count)
        lines[...] = _lines(old)[order]
        kept_values[...] = source[order]
    return starts, others, elements


def gather_blocks(indices: Array, values: Array, sizes: tuple[int, int], blocksize: tuple[int, int],
                  by_rows: bool) -> tuple[Array, Array, Array]:
    """The blocks of a matrix that hold elements given by coordinates: where lines begin, other indices, values."""
    counts = [size // block for size, block in zip(sizes, blocksize)]
    rows, columns = ((indices[dim] // blocksize[dim]).astype(np.int64) for dim in (0, 1))
    line, other, per_line = (rows, columns, counts[1]) if by_rows else (columns, rows, counts[0])
    blocks, place = np.unique(line * per_line + other, return_inverse=True)
    elements = np.zeros((len(blocks), *blocksize, *values.shape[1:]), values.dtype)
    np.add.at(elements, (place, indices[0] % blocksize[0], indices[1] % blocksize[1]), values)
    starts = row_starts(blocks // max(per_line, 1), counts[0 if by_rows else 1])
    return starts.astype(indices.dtype), (blocks % max(per_line, 1)).astype(indices.dtype), elements


def largest_index(indices: Array) -> int:
    """The largest index, -1 where there is none."""
    return int(indices.max()) if indices.size else -1


def compressed_problem(compressed: Array, plain: Array, count: int, other: int, nnz: int) -> str:
    """Which of torch's conditions does not hold; empty if all do."""
    if (compressed[..., 0] != 0).any():
        return "first"
    if (compressed[..., -1] != nnz).any():
        return "last"
    steps = np.diff(compressed, axis=-1)
    if (steps < 0).any() or (steps > other).any():
        return "steps"
    if plain.size and ((plain < 0).any() or (plain >= other).any()):
        return "range"
    for starts, others in _batches((compressed, 1), (plain, 1)):
        lines = _lines(starts)
        if ((lines[1:] == lines[:-1]) & (others[1:] <= others[:-1])).any():
            return "order"
    return ""


def reduce_compressed(starts: Array, others: Array, values: Array, shape: tuple[int, int], dims: tuple[int, ...],
                      name: str) -> tuple[Array, Array, Array]:
    """The parts of a csr matrix summed or multiplied along dimensions; lines without elements stay without."""
    work = np.add if name == "sum" else np.multiply
    lines = _lines(starts)
    if dims == (1,):
        kept, groups = np.unique(lines, return_inverse=True)
        places = (kept, np.zeros_like(kept))
    elif dims == (0,):
        kept, groups = np.unique(others, return_inverse=True)
        places = (np.zeros_like(kept), kept)
    else:
        kept, groups = np.zeros(min(len(values), 1), np.int64), np.zeros(len(values), np.int64)
        places = (kept, kept)
    reduced = np.full(len(kept), work.identity, values.dtype)
    work.at(reduced, groups, values)
    rows = 1 if 0 in dims else shape[0]
    return row_starts(places[0], rows).astype(starts.dtype), places[1].astype(others.dtype), reduced


def check_compressed(compressed: Array, plain: Array, shape: tuple[int, int], inner: int, values: Array,
                     layout: str) -> None:
    """Refuse parts that lead outside of a matrix: SciPy's loops trust them."""
    by_rows = layout in ("sparse_csr", "sparse_bsr")
    height, width = values.shape[1:3] if values.ndim > 1 else (1, 1)
    rows, columns = shape[0] // (height or 1), inner // (width or 1)
    count, other = (rows, columns) if by_rows else (columns, rows)
    if len(compressed) != count + 1 or compressed_problem(compressed, plain, count, other, len(values)) not in (
            "", "order"):
        raise RuntimeError(OUTSIDE)
