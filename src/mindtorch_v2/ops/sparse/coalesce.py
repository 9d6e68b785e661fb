"""Coordinates that come once: coalesce."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.sparse import SparseCoo, sparse_tensor
from ...core.tensor import alias_of, shape_of
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import in_order
from .coordinates import unsized_parts
from .parts import OF_SPARSE, coo_member


class Coalesce(Op):
    """The same tensor with its coordinates in order, values at the same place added up."""

    schema = "coalesce(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self):
        coo_member(self, "coalesce")
        return self if aten.is_coalesced(self) else aten._coalesce(self)


class CoalesceInner(Op):
    """What coalesce() does where there is something to do."""

    schema = "_coalesce(Tensor self) -> Tensor"
    of_kind = OF_SPARSE
    internal = "the inner half of coalesce"
    node = "CoalesceBackward0"

    def body(self):
        aten.is_coalesced(self)
        if aten._nnz(self) < 2:
            return aten._coalesced_(aten.clone(self), True)
        indices, values = aten._indices(self), in_order(aten._values(self))
        sparse_dim = aten.sparse_dim(self)
        aten.dense_dim(self)
        nnz = aten._nnz(self)
        flat = flat_coordinates(indices, shape_of(self)[:sparse_dim], nnz)
        before = unsized_parts(values.dtype)
        aten.resize_(before[0], (sparse_dim, 0))
        aten.resize_(before[1], (0, *shape_of(self)[sparse_dim:]))
        new_indices = aten.empty(shape_of(indices), dtype=dtypes.int64)
        new_values = aten.empty(shape_of(values), dtype=values.dtype)
        ordered, places = aten.sort(flat, 0)
        count = ask.coalesce(new_indices, new_values, indices, values, ordered, places)
        return _narrowed(shape_of(self), sparse_dim, new_indices, new_values, count)

    def grad_self(grad):
        return grad


def flat_coordinates(indices, sizes, nnz: int):
    """The number of each element, counted through all coordinates."""
    if len(sizes) == 1:
        return aten.squeeze(indices, 0)
    flat = aten.arange(nnz)
    run.flat_coordinates(flat, indices, tuple(sizes))
    return flat


def _narrowed(shape, sparse_dim: int, indices, values, count: int):
    """A coalesced tensor on the first columns."""
    result = sparse_tensor(SparseCoo(indices, values, sparse_dim), shape)
    aten._coalesced_(result, True)
    kind = result._mt_kind
    kind.indices = alias_of(aten.narrow(indices, 1, 0, count))
    kind.values = alias_of(aten.narrow(values, 0, 0, count))
    return result
