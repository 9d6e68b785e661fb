"""Elements of a tensor at the places that another one keeps: sparse_mask."""

from __future__ import annotations

from ...core.device import strided
from ...core.sparse import SparseCompressed, SparseCoo, is_compressed, is_coo, is_sparse, sparse_tensor
from ...core.tensor import numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from .parts import OF_SPARSE, nnz_of, refuse_backend


class SparseMask(Op):
    """The elements at the places of a mask; zero where this tensor keeps none."""

    schema = "sparse_mask(Tensor self, Tensor mask) -> Tensor"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self, mask):
        if not is_sparse(mask):
            refuse_backend("sparse_mask", mask)
        if shape_of(self) != shape_of(mask):
            raise RuntimeError(f"sparse_mask(): operands have incompatible sizes; self has size {list(shape_of(self))} "
                               f"but mask has size {list(shape_of(mask))}")
        if self is mask:
            return self
        if is_compressed(mask):
            return _at_compressed(self, mask)
        if not numel_of(mask) or not aten._nnz(mask):
            return aten.to(aten.clone(mask), self.dtype)
        if is_coo(self):
            return _looked_up(self, mask)
        values = aten._values(mask)
        ones = aten.expand_as(aten.ones((1,), dtype=values.dtype), values)
        template = aten.sparse_coo_tensor(aten._indices(mask), ones, shape_of(mask))
        aten._coalesced_(template, aten.is_coalesced(mask))
        return aten.to(aten.mul(self, template), self.dtype)

    def grad_self(grad, self, mask):
        if is_compressed(mask):
            return grad if is_sparse(self) else aten.to_dense(grad)
        back = aten.sparse_mask(grad, mask) if is_coo(grad) else grad
        return aten.to_dense(back) if not is_sparse(self) and is_sparse(back) else back


def _at_compressed(self, mask):
    """The elements of a dense tensor at the places of a compressed one."""
    if is_sparse(self):
        self = aten.to_dense(self)
    kind = mask._mt_kind
    values = aten.empty(shape_of(kind.values), dtype=self.dtype)
    run.read_compressed(values, self, kind.compressed, kind.plain, kind.layout.name, bool(kind.blocksize))
    return sparse_tensor(SparseCompressed(kind.layout, aten.clone(kind.compressed), aten.clone(kind.plain), values),
                         shape_of(self))


def _looked_up(self, mask):
    """The sums at the places of a mask."""
    ordered, wanted = aten.coalesce(self)._mt_kind, mask._mt_kind
    values = aten.zeros((nnz_of(mask), *shape_of(ordered.values)[1:]), dtype=self.dtype, layout=strided)
    run.gather_columns(values, wanted.indices, ordered.indices, ordered.values, shape_of(self)[:wanted.sparse_dim])
    kind = SparseCoo(aten.clone(wanted.indices), values, wanted.sparse_dim, wanted.is_coalesced)
    return sparse_tensor(kind, shape_of(mask))


class Projection(Op):
    """The elements at the places of a mask, of a tensor that may have others too."""

    schema = "_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> Tensor"
    variants = "method"
    of_kind, below = OF_SPARSE, "a derivative"

    def body(self, mask, accumulate_matches):
        kind, wanted = self._mt_kind, aten.coalesce(mask)._mt_kind
        matches = aten.zeros((nnz_of(self),), dtype=self.dtype)
        run.mark_columns(matches, kind.indices, wanted.indices, shape_of(self)[:kind.sparse_dim])
        lines = (nnz_of(self), *[1] * (len(shape_of(kind.values)) - 1))
        values = aten.mul(kind.values, aten.view(matches, lines))
        projected = SparseCoo(aten.clone(kind.indices), values, kind.sparse_dim, kind.is_coalesced)
        return sparse_tensor(projected, shape_of(self))
