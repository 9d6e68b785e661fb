# cython: annotation_typing=False
"""Rows picked by index, and gradients added to the rows they came from."""

from __future__ import annotations

import numpy as np

from ... import embedding

INT64 = np.dtype(np.int64)


def _places(index: np.ndarray) -> np.ndarray:
    """Indices as compiled loops want them: one row of int64."""
    return index if index.dtype is INT64 and index.ndim == 1 else index.astype(INT64, copy=False).reshape(-1)


def index_select(out: np.ndarray, source: np.ndarray, index: np.ndarray, dim: int) -> None:
    """Slices along a dimension; ``take_rows`` is faster where they are rows that lie in C order."""
    places = _places(index)
    size = source.shape[dim] if source.ndim else 1
    if ((places < 0) | (places >= size)).any():
        raise IndexError("index out of range in self")
    out[...] = np.take(source, places, axis=dim) if source.ndim else source


def embedding_dense_backward(grad_weight: np.ndarray, grad: np.ndarray, indices: np.ndarray, padding_idx: int,
                             scale_grad_by_freq: bool) -> None:
    """Each row of a gradient added to the row of the table that its index names; the table's comes as zeros."""
    embedding.embedding_dense_backward(grad_weight, grad, _places(indices), padding_idx, scale_grad_by_freq)


def distinct_indices(indices: np.ndarray) -> list[int]:
    """Every index once, the smallest first."""
    return np.unique(indices).tolist()
