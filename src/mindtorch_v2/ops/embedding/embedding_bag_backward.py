"""The backward of bags of rows: gradients of the table, and of the weights of its rows."""

from __future__ import annotations

from ...core.device import strided
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import in_order, sized
from ..shared.not_differentiable import UNKNOWN, unknown, unknown_derivative
from ..shared.values import has_values
from .embedding import INDEX_TYPES, index_check
from .embedding_bag import MAX, MEAN, SUM, bag_of_each, float_check, one_index_type


class EmbeddingBagBackward(Op):
    """Derivative of bags with respect to the table."""

    schema = ("_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, "
              "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, "
              "bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor")
    node = "EmbeddingBagBackwardBackward0"
    grad_grad = grad_per_sample_weights = unknown_derivative("_embedding_bag_backward")

    def body(grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
             sparse, per_sample_weights, padding_idx):
        for t in (indices, offsets):
            index_check(t, "embedding_bag")
        indices, offsets = one_index_type(indices, offsets)
        for name, t in (("indices", indices), ("offsets", offsets)):
            if not is_in_order(t):
                raise RuntimeError("Expected contiguous tensor, but got non-contiguous tensor for argument #1 "
                                   f"'{name}' (while checking arguments for embedding_bag)")
        if numel_of(indices) and not numel_of(offset2bag):
            length = numel_of(indices)
            offset2bag = bag_of_each(aten.new_zeros(offsets, (length + 1,), dtype=offsets.dtype, layout=strided),
                                     offsets)
            aten.resize_(offset2bag, (length,))
        if sparse:
            return aten._embedding_bag_sparse_backward(grad, indices, offsets, offset2bag, bag_size, num_weights,
                                                       scale_grad_by_freq, mode, per_sample_weights, padding_idx)
        return aten._embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, maximum_indices, num_weights,
                                                  scale_grad_by_freq, mode, per_sample_weights, padding_idx)


class EmbeddingBagDenseBackward(Op):
    """Each bag's gradient added to the rows of the table that were in it."""

    schema = ("_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, "
              "Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, "
              "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor")
    node = "EmbeddingBagDenseBackwardBackward0"
    grad_grad = grad_per_sample_weights = unknown_derivative("_embedding_bag_dense_backward")

    def meta(grad, indices, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
             per_sample_weights, padding_idx):
        float_check(grad, "grad_")
        return Spec((num_weights, shape_of(grad)[1]), grad.dtype)

    def body(grad, indices, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
             per_sample_weights, padding_idx):
        grad = in_order(grad)
        grad_weight = aten.zeros((num_weights, shape_of(grad)[1]), dtype=grad.dtype, layout=strided)
        if mode == MAX:
            return _to_largest(grad_weight, grad, bag_size, maximum_indices)
        if indices.dtype not in INDEX_TYPES:
            raise not_implemented("_embedding_bag_dense_backward_cpu_sum_mean", indices.dtype)
        if offset2bag.dtype is not indices.dtype:
            raise RuntimeError(f"expected scalar type {indices.dtype.short} but found {offset2bag.dtype.short}")
        ranked, places = aten.sort(indices)
        bags = aten.index_select(offset2bag, 0, places)
        if per_sample_weights is not None:
            per_sample_weights = aten.index_select(per_sample_weights, 0, places)
        run.embedding_bag_dense_backward(grad_weight, grad, ranked, bags, bag_size if mode == MEAN else None,
                                         per_sample_weights, scale_grad_by_freq, padding_idx)
        return grad_weight


def _to_largest(grad_weight, grad, bag_size, maximum_indices):
    """Each element of a bag's gradient goes to the row that had the largest one."""
    if not has_values(grad):
        return grad_weight
    rows = aten.index_select(maximum_indices, 0, aten.view(aten.nonzero(bag_size), (-1,)))
    grads = aten.index_select(grad, 0, aten.view(aten.nonzero(bag_size), (-1,)))
    for column in range(shape_of(grad)[1]):
        into = aten.select(grad_weight, 1, column)
        aten.index_add_(into, 0, aten.select(rows, 1, column), aten.select(grads, 1, column))
    return grad_weight


class EmbeddingBagPerSampleWeightsBackward(Op):
    """Derivative of weighted bags with respect to the weights: each row times its bag's gradient."""

    schema = ("_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, "
              "Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor")
    node = UNKNOWN
    grads = unknown("_embedding_bag_per_sample_weights_backward")

    def meta(grad, weight, indices, offsets, offset2bag, mode, padding_idx):
        if mode != SUM:
            raise RuntimeError("embedding_bag_backward: per_sample_weights only supported for mode='sum'")
        if weight.dtype is not grad.dtype:
            raise RuntimeError(f"expected scalar type {grad.dtype.short} but found {weight.dtype.short}")
        if ndim_of(grad) != 2 or ndim_of(weight) != 2 or shape_of(grad)[1] != shape_of(weight)[1]:
            raise RuntimeError(f"embedding_bag_backward: rows of one length wanted, got {list(shape_of(grad))} and "
                               f"{list(shape_of(weight))}")
        return Spec((numel_of(indices),), grad.dtype)

    def body(grad, weight, indices, offsets, offset2bag, mode, padding_idx):
        indices, offsets = one_index_type(indices, offsets)
        length = numel_of(indices)
        output = aten.zeros((length,), dtype=grad.dtype, layout=strided)
        if length and not numel_of(offset2bag):
            longer = aten.zeros((length + 1,), dtype=offset2bag.dtype, layout=strided)
            offset2bag = sized(bag_of_each(longer, offsets), (length,))
        run.embedding_bag_sample_grads(output, grad, weight, indices, offset2bag, padding_idx)
        return output
