# cython: annotation_typing=False
"""Rows picked by index, and what flows back into them."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..create.factories import empty, zeros
from ..shared.layout import in_order, sized

INDEX_TYPES = (dtypes.int64, dtypes.int32)
_SHORTEST = 1e-7  # added to a row's length before it is divided by
VECTORS_REFUSED = ("uint16", "uint32", "uint64")  # torch selects rows of these types, but no elements


class IndexSelect(Op):
    """Slices of self along a dimension, as many and in the order an index names them."""

    schema = "index_select(Tensor self, int dim, Tensor index) -> Tensor"
    variants = "method out"
    overlap = "spares_inputs"

    def meta(self, dim, index, out=None):
        if ndim_of(index) > 1:
            raise IndexError("index_select(): Index is supposed to be a vector")
        if index.dtype not in INDEX_TYPES:
            raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
        if out is not None and out.dtype is not self.dtype:
            raise RuntimeError("index_select(): self and result must have the same scalar type")
        dim = wrap_dim(dim, ndim_of(self))
        if not ndim_of(self) and numel_of(index) != 1:
            raise RuntimeError("index_select(): Index to scalar can have only 1 value, got "
                               f"{numel_of(index)} value(s)")
        if ndim_of(self) == 1 and self.dtype.name in VECTORS_REFUSED:
            raise not_implemented("index_select", self.dtype)
        return Spec(_selected(self, dim, index), self.dtype)

    def body(self, dim, index, out=None):
        dim = wrap_dim(dim, ndim_of(self))
        shape = _selected(self, dim, index)
        if out is None and dim == 0 and len(shape) > 1 and is_in_order(self) and index.dtype is dtypes.int64 \
                and is_in_order(index) and dispatcher.is_unobserved():
            return _rows(self, index, shape)
        out = sized(empty((0,), self.dtype), shape) if out is None else resize_output(out, shape)
        index = in_order(index)
        if not numel_of(index):
            return out
        if dim == 0 and ndim_of(out) > 1 and numel_of(out):  # torch looks whether rows are in order
            aten.select(self, 0, 0)
            aten.select(out, 0, 0)
            if is_in_order(self) and index.dtype is dtypes.int64 and is_in_order(out):
                run.take_rows(out, self, index)
                return out
        run.index_select(out, self, index, dim)
        return out

    def grad_self(grad, self_shape, dim, index):
        return aten.index_select_backward(grad, self_shape, dim, index)


def _rows(table, index, shape):
    """Rows of a table that lies in order, at once."""
    out = blank(shape, table.dtype)
    run.take_rows(out, table, index)
    return out


def _selected(self, dim: int, index) -> tuple[int, ...]:
    """The shape with as many slices along a dimension as there are indices."""
    shape = shape_of(self)
    return shape[:dim] + (numel_of(index),) + shape[dim + 1:] if shape else ()


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
        if ndim_of(weight) != 2:
            raise RuntimeError("'weight' must be 2-D")
        index_check(indices, "embedding")

    def body(weight, indices, padding_idx, scale_grad_by_freq, sparse):
        if indices.dtype is dtypes.int64 and is_in_order(weight) and is_in_order(indices) \
                and dispatcher.is_unobserved():
            return _rows(weight, indices, (*shape_of(indices), shape_of(weight)[1]))
        if ndim_of(indices) == 1:
            return aten.index_select(weight, 0, indices)
        flat = aten.reshape(indices, (-1,))
        return aten.view(aten.index_select(weight, 0, flat), (*shape_of(indices), shape_of(weight)[1]))

    def grad_weight(grad, weight_shape, indices, padding_idx, scale_grad_by_freq, sparse):
        return aten.embedding_backward(grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq, sparse)


def index_check(indices, who):
    if indices.dtype not in INDEX_TYPES:
        raise RuntimeError("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
                           f"Int; but got torch.{indices.dtype.short}Tensor instead (while checking arguments for "
                           f"{who})")


class EmbeddingBackward(Op):
    """Derivative of embedding with respect to the table."""

    schema = ("embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, "
              "bool scale_grad_by_freq, bool sparse) -> Tensor")

    def body(grad, indices, num_weights, padding_idx, scale_grad_by_freq, sparse):
        if sparse:
            return aten.embedding_sparse_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
        return aten.embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)


class EmbeddingDenseBackward(Op):
    """Each row's gradient added to the row of the table it came from."""

    schema = ("embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, "
              "bool scale_grad_by_freq) -> Tensor")
    node = "EmbeddingDenseBackwardBackward0"

    def meta(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
        return Spec((num_weights, shape_of(grad_output)[-1]), grad_output.dtype)

    def body(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
        width = shape_of(grad_output)[-1]
        grad_weight = zeros((num_weights, width), grad_output.dtype)
        indices = in_order(indices)
        grad = aten.view(in_order(grad_output), (numel_of(indices), width))
        run.embedding_dense_backward(grad_weight, grad, indices, padding_idx, scale_grad_by_freq)
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
        if ndim_of(self) != 2:
            raise RuntimeError(f"Expected 2-dimensional tensor, but got {ndim_of(self)}-dimensional tensor for "
                               "argument #1 'self' (while checking arguments for embedding_renorm_)")
        index_check(indices, "embedding_renorm_")

    def body(self, indices, max_norm, norm_type):
        indices = in_order(indices)
        if not has_values(indices):
            return self
        for index in ask.distinct_indices(indices):
            row = aten.select(self, 0, index)
            length = aten.item(aten.norm(row, norm_type))
            if length > max_norm:
                aten.mul_(row, max_norm / (length + _SHORTEST))
        return self

    def grad_self(grad):
        raise NotImplementedError("the derivative for 'embedding_renorm' is not implemented.")
