"""Rows picked by index, and added to by index."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray


@halves_in_float32(outs=1)
def embedding_dense_backward(grad_weight: Array, grad: Array, indices: Array, padding_idx: int,
                             scale_grad_by_freq: bool) -> None:
    """Adds each row of grad to the row of grad_weight its index names; grad_weight comes zero-filled."""
    rows, cols = grad_weight.shape
    # torch passes over what does not belong to the table
    kept = (indices != padding_idx) & (indices >= 0) & (indices < rows)
    index, grad = indices[kept], grad.reshape(indices.size, cols)[kept]
    if scale_grad_by_freq:
        grad = grad * (1 / np.bincount(index, minlength=rows)[index].astype(grad.dtype))[:, None]
    np.add.at(grad_weight, index, grad)


@halves_in_float32(outs=1)
def index_add(out: Array, index: Array, src: Array, alpha: float) -> None:
    """out[index[i]] += alpha * src[i], over rows."""
    bad = index[(index < 0) | (index >= out.shape[0])]
    if bad.size:
        raise RuntimeError(f"index {bad[0]} is out of bounds for dimension 0 with size {out.shape[0]}")
    np.add.at(out, index, out.dtype.type(alpha) * src)


def take_rows(out: Array, src: Array, index: Array) -> None:
    """out[i] = src[index[i]], for any dtype."""
    if ((index < 0) | (index >= src.shape[0])).any():
        raise IndexError("index out of range in self")
    out[...] = src[index].reshape(out.shape)
