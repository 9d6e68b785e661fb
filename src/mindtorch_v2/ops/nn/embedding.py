# cython: annotation_typing=False
"""Rows picked by index, and what flows back into them."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim
from ...devices import cpu as kernels
from ...devices.cpu.layout import compact
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..create.factories import zeros
from ..shared.layout import in_order, size_as, unsized

_INDEX_TYPES = (dtypes.int64, dtypes.int32)


def _index(index):
    """Indices as the kernels want them."""
    return index._mt_array if index.dtype is dtypes.int64 else index._mt_array.astype(np.int64)


class IndexSelect(Op):
    """Slices of self along a dimension, as many and in the order an index names them."""

    schema = "index_select(Tensor self, int dim, Tensor index) -> Tensor"
    variants = "method"

    def meta(self, dim, index):
        if index._mt_array.ndim > 1:
            raise IndexError("index_select(): Index is supposed to be a vector")
        if index.dtype not in _INDEX_TYPES:
            raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
        wrap_dim(dim, self._mt_array.ndim)
        if not self._mt_array.ndim and index._mt_array.size != 1:
            raise RuntimeError("index_select(): Index to scalar can have only 1 value, got "
                               f"{index._mt_array.size} value(s)")

    def body(self, dim, index):
        dim = wrap_dim(dim, self._mt_array.ndim)
        shape = list(self._mt_array.shape)
        if shape:
            shape[dim] = index._mt_array.size
        out = size_as(unsized(self.dtype), np.empty(shape, self.dtype.numpy))
        index = in_order(index)
        if not index._mt_array.size:
            return out
        rows_lie_dense = False
        if dim == 0 and len(shape) > 1 and out._mt_array.size:
            row, picked = aten.select(self, 0, 0), aten.select(out, 0, 0)
            rows_lie_dense = row.is_contiguous() and picked.is_contiguous() and self.is_contiguous()
        at = _index(index).reshape(-1)
        if rows_lie_dense:
            kernels.embedding.take_rows(out._mt_array, self._mt_array, at)
        else:
            _take(out._mt_array, self._mt_array, at, dim)
        return out

    def grad_self(grad, self_shape, dim, index):
        return aten.index_select_backward(grad, self_shape, dim, index)


def _take(out, source, index, dim):
    size = source.shape[dim] if source.ndim else 1
    if ((index < 0) | (index >= size)).any():
        raise IndexError("index out of range in self")
    out[...] = np.take(source, index, axis=dim) if source.ndim else source


class IndexSelectBackward(Op):
    """Derivative of index_select: each slice is added to where it came from."""

    schema = "index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor"

    def body(grad, self_sizes, dim, index):
        into = aten.new_zeros(grad, self_sizes, dtype=grad.dtype, layout=strided)
        return aten.index_add_(into, dim, index, grad)


class Embedding(Op):
    """Rows of a table, in the shape of their indices."""

    schema = ("embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, "
              "bool sparse=False) -> Tensor")

    def meta(weight, indices, padding_idx, scale_grad_by_freq, sparse):
        if weight._mt_array.ndim != 2:
            raise RuntimeError("'weight' must be 2-D")
        _index_check(indices, "embedding")

    def body(weight, indices, padding_idx, scale_grad_by_freq, sparse):
        if indices._mt_array.ndim == 1:
            return aten.index_select(weight, 0, indices)
        flat = aten.reshape(indices, (-1,))
        return aten.view(aten.index_select(weight, 0, flat), (*indices._mt_array.shape, weight._mt_array.shape[1]))

    def grad_weight(grad, weight_shape, indices, padding_idx, scale_grad_by_freq, sparse):
        return aten.embedding_backward(grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq, sparse)


def _index_check(indices, who):
    if indices.dtype not in _INDEX_TYPES:
        raise RuntimeError("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
                           f"Int; but got torch.{indices.dtype.short}Tensor instead (while checking arguments for "
                           f"{who})")


class EmbeddingBackward(Op):
    """Derivative of embedding with respect to the table."""

    schema = ("embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, "
              "bool scale_grad_by_freq, bool sparse) -> Tensor")

    def body(grad, indices, num_weights, padding_idx, scale_grad_by_freq, sparse):
        if sparse:
            raise NotImplementedError("embedding: sparse gradients are not supported; call it with sparse=False")
        return aten.embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)


class EmbeddingDenseBackward(Op):
    """Each row's gradient added to the row of the table it came from."""

    schema = ("embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, "
              "bool scale_grad_by_freq) -> Tensor")
    node = "EmbeddingDenseBackwardBackward0"

    def body(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
        count = indices._mt_array.size
        width = grad_output._mt_array.shape[-1]
        grad_weight = zeros((num_weights, width), grad_output.dtype)
        indices = in_order(indices)
        grad = aten.view(in_order(grad_output), (count, width))
        at = compact(_index(indices)).reshape(-1)
        kernels.embedding.embedding_dense_backward(grad_weight._mt_array, grad._mt_array, at, padding_idx,
                                                   scale_grad_by_freq)
        return grad_weight

    def grad_grad_output(grad, grad_output_shape, indices, padding_idx):
        picked = aten.index_select(grad, 0, aten.reshape(indices, (-1,)))
        picked = aten.view(picked, grad_output_shape)
        if padding_idx < 0:
            return picked
        return aten.masked_fill(picked, aten.unsqueeze(aten.eq(indices, padding_idx), -1), 0)


class EmbeddingRenorm(Op):
    """Rows that are longer than max_norm are cut to it, in place."""

    schema = "embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)"
    overlap = "expanded"
    node = "EmbeddingRenormBackward0"

    def meta(self, indices, max_norm, norm_type):
        if self._mt_array.ndim != 2:
            raise RuntimeError(f"Expected 2-dimensional tensor, but got {self._mt_array.ndim}-dimensional tensor for "
                               "argument #1 'self' (while checking arguments for embedding_renorm_)")
        _index_check(indices, "embedding_renorm_")

    def body(self, indices, max_norm, norm_type):
        for at in np.unique(indices._mt_array).tolist():
            row = aten.select(self, 0, at)
            length = aten.item(aten.norm(row, norm_type))
            if length > max_norm:
                aten.mul_(row, max_norm / (length + 1e-7))
        return self

    def grad_self(grad):
        raise NotImplementedError("the derivative for 'embedding_renorm' is not implemented.")
