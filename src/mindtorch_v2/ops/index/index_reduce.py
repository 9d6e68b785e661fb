"""Slices of a source reduced into the named slices of one dimension: product, mean, extremes."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import in_order
from .index_dim import check_slices
from .reduce_at import divided, mean_slopes, product_slopes, shared_slopes, start_of

REDUCTIONS = ("prod", "mean", "amax", "amin")


class IndexReduce(Op):
    """The slices of a source reduced into the named ones."""

    schema = ("index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, "
              "bool include_self=True) -> Tensor")
    overlap = "spares_inputs"
    variants = "method inplace out"
    grads_of = "self source"

    def meta(self, dim, index, source, reduce, include_self):
        if reduce not in REDUCTIONS:
            raise RuntimeError("index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
                               f"{reduce}.")
        check_slices("index_reduce_", self, dim, index, source)
        return Spec(shape_of(self), self.dtype)

    def into(out, self, dim, index, source, reduce, include_self):
        if out is not self:
            aten.copy_(out, self)
        if not numel_of(index):
            return
        dim, index = wrap_dim(dim, ndim_of(out)), in_order(index)
        if not include_self:
            aten.index_fill_(out, dim, aten.to(index, dtypes.int64), start_of(out.dtype, reduce))
        if ndim_of(out) > 1:
            aten.select(out, dim, 0)
            aten.select(source, dim, 0)
        run.reduce_slices(out, index, source, dim, reduce)
        if reduce == "mean":
            _divide_by_count(out, dim, index, source, include_self)

    def grads(grad, self, dim, index, source, reduce, include_self, result, needs):
        def reduced(t, slices):
            return aten.index_reduce(t, dim, index, slices, reduce, include_self=include_self)

        def add(t, slices):
            return aten.index_add(t, dim, index, slices)

        def pick(t):
            return aten.index_select(t, dim, index)

        if reduce == "prod":
            of_self, of_source = product_slopes(grad, self, source, result, reduced, add, pick, "index_reduce",
                                                "source")
        elif reduce == "mean":
            of_self, of_source = mean_slopes(grad, source, include_self, add, pick)
        else:
            value = pick(result)
            is_self, is_source, slopes = shared_slopes(grad, self, source, result, value, add)
            of_self, of_source = aten.mul(is_self, slopes), aten.mul(is_source, pick(slopes))
        return (of_self if include_self else aten.index_fill(of_self, dim, index, 0)) if needs[0] else None, of_source


def _divide_by_count(out, dim: int, index, source, include_self: bool) -> None:
    """Sums by how many slices there were; in one dimension torch counts them without a row."""
    count = aten.ones_like(out) if include_self else aten.zeros_like(out)
    if ndim_of(out) > 1:
        aten.index_add_(count, dim, index, aten.ones_like(source))
    else:
        run.count_at(count, index)
    divided(out, count)
