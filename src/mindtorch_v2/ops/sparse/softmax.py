"""softmax and log_softmax over the elements that a sparse tensor keeps; all others count as minus infinity."""

from __future__ import annotations

from ...core.device import sparse_coo
from ...core.geometry import wrap_dim
from ...core.sparse import SparseCoo, is_coo, sparse_tensor
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import declare
from ..shared.layout import in_order
from .parts import OF_SPARSE, nnz_of, refuse_backend, sparse_dim_of


def _softmax(self, dim: int, is_log: bool):
    """Over a dimension of the values by the dense op, over a dimension of coordinates group by group."""
    name = f"_sparse_{'log_' if is_log else ''}softmax"
    if not is_coo(self):
        refuse_backend(name, self)
    dim = wrap_dim(dim, ndim_of(self))
    ordered = aten.coalesce(self)
    result = aten.empty((0,), dtype=self.dtype, layout=sparse_coo)
    aten.dense_dim(ordered)
    aten.sparse_resize_and_clear_(result, shape_of(self), aten.sparse_dim(ordered), ndim_of(self) - sparse_dim_of(self))
    if not nnz_of(ordered):
        return result
    sparse_dim = aten.sparse_dim(ordered)
    indices, values = in_order(aten._indices(ordered)), in_order(aten._values(ordered))
    computed, kept = aten._values(result), aten._indices(result)
    del result  # so that nobody else looks at what is resized
    if dim >= sparse_dim:
        dense = getattr(aten, "_log_softmax" if is_log else "_softmax")
        computed = dense(values, dim - sparse_dim + 1, False)
        kept = aten.clone(indices)
    else:
        aten.resize_as_(computed, values)
        aten.copy_(aten.resize_as_(kept, indices), indices)
        lines = shape_of(values)[0], -1
        run.sparse_softmax(aten.view(computed, lines), indices, aten.view(values, lines), shape_of(self)[:sparse_dim],
                           dim, is_log)
    return sparse_tensor(SparseCoo(kept, computed, sparse_dim, True), shape_of(self))


def _backward(grad_output, output, dim: int, self, is_log: bool):
    """The derivative, with a gradient at the places of the result or at any others."""
    dim = wrap_dim(dim, ndim_of(output))
    result, grad = aten.coalesce(output)._mt_kind, aten.coalesce(grad_output)
    grads = aten._values(aten.sparse_mask(grad, aten.coalesce(output)))
    sparse_dim = sparse_dim_of(output)
    if dim >= sparse_dim:
        dense = getattr(aten, "_log_softmax_backward_data" if is_log else "_softmax_backward_data")
        back = dense(grads, result.values, dim - sparse_dim + 1, self.dtype)
    else:
        back = aten.empty(shape_of(result.values), dtype=grads.dtype)
        run.sparse_softmax_backward(back, result.indices, result.values, grads, shape_of(output)[:sparse_dim], dim,
                                    is_log)
    return sparse_tensor(SparseCoo(aten.clone(result.indices), back, sparse_dim, True), shape_of(output))


def _declare(name: str, is_log: bool) -> None:
    backward = f"{name}_backward_data"

    def body(self, dim, half_to_float):
        return _softmax(self, dim, is_log)

    def of_type(self, dim, dtype):
        converted = self if dtype is None else aten.to(self, dtype)
        return getattr(aten, name)(converted, dim, False)

    def grad_self(grad, result, dim, self):
        return getattr(aten, backward)(grad, result, dim, self)

    declare(f"{name}(Tensor self, int dim, bool half_to_float) -> Tensor", "The inner half of it.", of_kind=OF_SPARSE,
            internal="torch.sparse", body=body, grad_self=grad_self,
            node=f"Sparse{'Log' if is_log else ''}SoftmaxBackward0")
    declare(f"{name}.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", "In a given type.",
            of_kind=OF_SPARSE, internal="torch.sparse", body=of_type)
    declare(f"{backward}(Tensor grad_output, Tensor output, int dim, Tensor self) -> Tensor", "The derivative.",
            of_kind=OF_SPARSE, internal="a derivative", below="a derivative",
            body=lambda grad_output, output, dim, self: _backward(grad_output, output, dim, self, is_log))


_declare("_sparse_softmax", False)
_declare("_sparse_log_softmax", True)
