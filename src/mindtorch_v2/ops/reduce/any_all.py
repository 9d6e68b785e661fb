# cython: annotation_typing=False
"""Reductions to truth values and counts."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dims
from ...core.tensor import blank, ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from .reduction import accumulator, in_type, prefill, reduced

NO_GRADIENT = "a truth value has no gradient"
_TRUTH_TYPES = (dtypes.bool_, dtypes.uint8)


def _truth_type(self):
    """Bytes answer in bytes, everything else in booleans."""
    return self.dtype if self.dtype is dtypes.uint8 else dtypes.bool_


def _rule(self, dim=None, keepdim: bool = False) -> Spec:
    return reduced(self, dim, keepdim, _truth_type(self))


def _names_none(self, dim) -> bool:
    """Whether a list of dimensions is empty, which here does not mean all of them."""
    return dim == () and ndim_of(self) > 0


def _dims_rule(self, dim, keepdim: bool) -> Spec:
    return Spec(shape_of(self), _truth_type(self)) if _names_none(self, dim) else _rule(self, dim, keepdim)


def _declare(name: str, kernel, neutral: bool, doc: str) -> None:
    """One answer, one for each line along a dimension, or along several."""

    def check_out(*args) -> None:
        if args[-1].dtype not in _TRUTH_TYPES:
            raise RuntimeError(f"{name} only supports bool tensor for result, got: {args[-1].dtype.short}")

    def into(out, self, dim=None, keepdim: bool = False) -> None:
        if numel_of(self) == 0:
            aten.fill_(out, float(neutral))
        elif numel_of(self) == 1:
            aten.copy_(out, aten.to(aten.view_as(self, out), dtypes.bool_))
        else:
            shown = accumulator(out, self, dim, keepdim)
            self = in_type(self, out.dtype)
            prefill(shown, float(neutral))
            kernel(shown, self, wrap_dims(dim, ndim_of(self)))

    def dims_into(out, self, dim, keepdim: bool) -> None:
        if not _names_none(self, dim):
            return into(out, self, dim, keepdim)
        ndim = ndim_of(out)  # torch shows as many more dimensions as there are
        shown = aten.as_strided(out, (1,) * ndim + shape_of(out), (0,) * ndim + strides_of(out))
        self = in_type(self, out.dtype)
        aten.fill_(shown, float(neutral))
        run.copy(shown, self)

    def dims_body(self, dim, keepdim: bool):
        if _names_none(self, dim):
            return aten.to(self, _truth_type(self), copy=True)
        spec = _rule(self, dim, keepdim)
        out = blank(spec.shape, spec.dtype)
        into(out, self, dim, keepdim)
        return out

    said = {"into": into, "meta": _rule, "below": NO_GRADIENT, "out_type": "any", "check_out": check_out,
            "overlap": "expanded_out shares_inputs"}
    declare(f"{name}(Tensor self) -> Tensor", doc, variants="method all_out", **said)
    declare(f"{name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", doc, variants="method .out", **said)
    declare(f"{name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", doc, variants="method",
            body=dims_body, meta=_dims_rule, below=NO_GRADIENT)
    declare(f"{name}.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", doc,
            **said | {"meta": _dims_rule, "into": dims_into})


_declare("any", run.any, False, "Whether any element is true.")
_declare("all", run.all, True, "Whether all elements are true.")


class CountNonzero(Op):
    """How many elements are not zero."""

    schema = "count_nonzero(Tensor self, int? dim=None) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self, dim):
        return aten.count_nonzero(self, () if dim is None else (dim,))


class CountNonzeroDims(Op):
    """How many elements along some dimensions are not zero."""

    schema = "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def meta(self, dim):
        return reduced(self, dim, False, dtypes.int64)

    def body(self, dim):
        if len(dim):
            return aten.sum(aten.ne(self, 0), dim)
        out = aten.empty((), dtype=dtypes.int64)
        run.count_nonzero(out, self)
        return out


def _declare_check(name: str, reduction: str, doc: str) -> None:
    def meta(self):
        if self.dtype is not dtypes.bool_:
            raise RuntimeError(f"{name} expects a tensor of truth values, got {self.dtype}")
        return Spec((), dtypes.bool_)

    declare(f"{name}(Tensor self) -> Tensor", doc, meta=meta, below=NO_GRADIENT,
            body=lambda self: getattr(aten, reduction)(self))


_declare_check("_is_all_true", "all", "Whether all of a tensor of truth values are true.")
_declare_check("_is_any_true", "any", "Whether any of a tensor of truth values is true.")
