"""Sparse gradients of lookups: of embedding, embedding_bag and gather."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.modes import is_grad_enabled
from ...core.sparse import is_coo, is_sparse
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from .coordinates import new_coo
from .parts import OF_SPARSE


class EmbeddingSparseBackward(Op):
    """The gradient of a table: the rows that were looked up, each with what arrived for it."""

    schema = ("embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, bool "
              "scale_grad_by_freq) -> Tensor")
    of_kind, below = OF_SPARSE, "a derivative"
    internal = "a derivative"

    def body(grad, indices, num_weights, padding_idx, scale_grad_by_freq):
        if scale_grad_by_freq:
            raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        if padding_idx != -1:
            kept = aten.nonzero(aten.ne(indices, padding_idx))
            places = [aten.select(kept, 1, d) for d in range(ndim_of(indices))]
            indices, grad = aten.index(indices, places), aten.index(grad, places)
        width = shape_of(grad)[-1]
        if not numel_of(indices):
            return new_coo((num_weights, width), aten.empty((1, 0), dtype=dtypes.int64),
                           aten.empty((0, width), dtype=grad.dtype), 1, True)
        rows = aten.reshape(indices, (1, -1))
        values = aten.reshape(grad, (-1, width))
        rows = aten.to(rows, dtypes.int64)
        return aten._sparse_coo_tensor_unsafe(rows, values, (num_weights, width))


class EmbeddingBagSparseBackward(Op):
    """The same of bags: every row of a bag gets what arrived for the bag."""

    schema = ("_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor "
              "bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int "
              "padding_idx=-1) -> Tensor")
    of_kind, below = OF_SPARSE, "a derivative"
    internal = "a derivative"

    def body(grad, indices, offsets, offset2bag, bag_size, num_weights, scale_grad_by_freq, mode, per_sample_weights,
             padding_idx):
        of_rows = aten.index_select(grad, 0, offset2bag)
        if mode == MEAN:
            counts = aten.index_select(aten.clamp(aten.to(bag_size, grad.dtype), 1), 0, offset2bag)
            of_rows = aten.div(of_rows, aten.unsqueeze(counts, 1))
        if per_sample_weights is not None:
            of_rows = aten.mul(of_rows, aten.unsqueeze(per_sample_weights, 1))
        return aten.embedding_sparse_backward(of_rows, indices, num_weights, padding_idx, scale_grad_by_freq)


MEAN = 1  # embedding_bag's number for that mode


class GatherSparseBackward(Op):
    """The gradient of gather(): every element by coordinates."""

    schema = "_gather_sparse_backward(Tensor self, int dim, Tensor index, Tensor grad) -> Tensor"
    of_kind, below = OF_SPARSE, "a derivative"
    internal = "a derivative"

    def body(self, dim, index, grad):
        if not ndim_of(self):
            return aten._sparse_coo_tensor_unsafe(aten.empty((0, numel_of(grad)), dtype=dtypes.int64),
                                                  aten.reshape(grad, (-1,)), ())
        if not ndim_of(index):
            index, grad = aten.unsqueeze(index, 0), aten.unsqueeze(grad, 0)
        dims, shape = ndim_of(self), shape_of(index)
        dim = dim % dims
        rows = []
        for d in range(dims):
            if d == dim:
                rows.append(aten.reshape(index, (-1,)))
            else:
                places = aten.view(aten.arange(shape[d]), [-1 if i == d else 1 for i in range(dims)])
                rows.append(aten.reshape(aten.expand(places, shape), (-1,)))
        indices = aten.stack(rows, 0)
        return aten._sparse_coo_tensor_unsafe(indices, aten.reshape(grad, (-1,)), shape_of(self))


def add_kinds(before, grad):
    """Two gradients that arrive at one node, one of which is sparse; torch puts the sparse one second."""
    return aten.add(grad, before) if is_sparse(before) else aten.add(before, grad)


def accumulate_kind(before, grad, is_owned: bool):
    """What a leaf's gradient becomes when another arrives, one of them sparse."""
    if before is not None:
        if is_sparse(before) and not is_sparse(grad):
            return aten.add(grad, before)
        return aten.add(before, grad) if is_grad_enabled() else aten.add_(before, grad)
    if not is_coo(grad) or is_grad_enabled():
        return aten.clone(grad)
    if is_in_order(aten._indices(grad)) and is_in_order(aten._values(grad)) and is_owned:
        aten._indices(grad)
        aten._values(grad)
        values, indices = aten._values(grad), aten._indices(grad)
        return aten._sparse_coo_tensor_unsafe(indices, values, shape_of(grad))
    return aten.clone(grad)
