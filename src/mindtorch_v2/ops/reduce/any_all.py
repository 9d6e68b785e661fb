"""Reductions to truth values and counts."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.geometry import wrap_dims
from ...core.tensor import blank
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import reduced_shape
from .sums import accumulator

NO_GRADIENT = "a truth value has no gradient"


def _decide(ufunc, neutral: bool, self, dim, keepdim: bool):
    """Whether any or all elements are true; bytes answer in bytes, everything else in booleans."""
    shape = self._mt_array.shape
    if dim == () and shape:  # an empty list names no dimension
        return aten.to(self, dtypes.uint8 if self.dtype is dtypes.uint8 else dtypes.bool_, copy=True)
    dtype = dtypes.uint8 if self.dtype is dtypes.uint8 else dtypes.bool_
    out = blank(reduced_shape(shape, dim, keepdim), dtype)
    if self._mt_array.size == 0:
        return aten.fill_(out, float(neutral))
    if not shape:
        return aten.copy_(aten.view_as(out, self), aten.to(self, dtypes.bool_))
    shown = out if keepdim else accumulator(out, shape, dim)
    if self.dtype is not dtype:
        self = aten.to(self, dtype)
    aten.fill_(shown, float(neutral))
    reduced = ufunc.reduce(self._mt_array, axis=wrap_dims(dim, len(shape)), keepdims=True)
    np.copyto(shown._mt_array, reduced, casting="unsafe")
    return out


def _declare(name: str, decide: np.ufunc, neutral: bool, doc: str) -> None:
    """One answer, one for each line along a dimension, or along several."""
    said = {"variants": "method", "below": NO_GRADIENT}
    declare(f"{name}(Tensor self) -> Tensor", doc, **said,
            body=lambda self: _decide(decide, neutral, self, None, False))
    declare(f"{name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", doc, **said,
            body=lambda self, dim, keepdim: _decide(decide, neutral, self, (dim,), keepdim))
    declare(f"{name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", doc, **said,
            body=lambda self, dim, keepdim: _decide(decide, neutral, self, dim, keepdim))


_declare("any", np.logical_or, False, "Whether any element is true.")
_declare("all", np.logical_and, True, "Whether all elements are true.")


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

    def body(self, dim):
        if len(dim):
            return aten.sum(aten.ne(self, 0), dim)
        out = aten.empty((), dtype=dtypes.int64)
        out._mt_array[()] = np.count_nonzero(self._mt_array)
        return out
