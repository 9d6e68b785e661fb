"""Sparse inputs of gradcheck: which elements they keep, and the same with all elements kept."""

from __future__ import annotations

import numpy as np

from ...core.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csr, strided
from ...core.slots import Work
from ...core.tensor import Tensor

BY_ROWS, IN_BLOCKS = (sparse_csr, sparse_bsr), (sparse_bsr, sparse_bsc)


def is_sparse(t: Tensor) -> bool:
    return t.layout is not strided


def kept(t: Tensor) -> Tensor:
    """The values that a tensor keeps: all of them, unless it is sparse."""
    if not is_sparse(t):
        return t.detach()
    return t.detach()._values() if t.layout is sparse_coo else t.detach().values()


def values_of(t: Tensor) -> np.ndarray:
    """The same, as memory that can be written."""
    return kept(t)._mt_array


def dense_of(t: Tensor) -> np.ndarray:
    """All values of a tensor, those that it does not keep as zeros."""
    return t.detach().to_dense()._mt_array


def places_of(t: Tensor) -> np.ndarray:
    """For each value that a sparse tensor keeps, its place among all elements row by row."""
    values, shape = values_of(t), tuple(t.shape)
    if t.layout is not sparse_coo:
        return _compressed_places(t, values, shape)
    indices = t.detach()._indices()._mt_array
    inner = np.arange(int(np.prod(shape[len(indices):]))).reshape(1, *shape[len(indices):])
    outer = np.ravel_multi_index(tuple(indices), shape[:len(indices)]) if len(indices) else np.zeros(len(values), int)
    return outer.reshape(-1, *[1] * (values.ndim - 1)) * inner.size + inner


def _compressed_places(t: Tensor, values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The same for matrices that list their rows or columns one after the other, whole or in blocks."""
    by_rows = t.layout in BY_ROWS
    starts = (t.crow_indices() if by_rows else t.ccol_indices())._mt_array
    plain = (t.col_indices() if by_rows else t.row_indices())._mt_array
    compressed = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows, columns = (compressed, plain) if by_rows else (plain, compressed)
    if t.layout in IN_BLOCKS:
        height, width = values.shape[1:3]
        rows = rows.reshape(-1, 1, 1) * height + np.arange(height).reshape(1, -1, 1)
        columns = columns.reshape(-1, 1, 1) * width + np.arange(width).reshape(1, 1, -1)
    return rows * shape[1] + columns


def put(t: Tensor, dense: np.ndarray) -> None:
    """Give a sparse tensor other values where it keeps some."""
    values_of(t)[...] = dense.reshape(-1)[places_of(t)]


def whole(value):
    """A sparse tensor that keeps every element, with the values of another; anything else as it is."""
    if not isinstance(value, Tensor) or not is_sparse(value):
        return value
    ones = Work.ones_like(value.detach().to_dense())
    if value.layout is sparse_coo:
        filled = ones.to_sparse(value.sparse_dim())
    else:
        blocksize = values_of(value).shape[1:3] if value.layout in IN_BLOCKS else None
        filled = ones.to_sparse(layout=value.layout, blocksize=blocksize)
    put(filled, dense_of(value))
    return filled.requires_grad_(value._mt_requires)
