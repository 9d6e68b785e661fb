"""Reductions to truth values and counts."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core.geometry import wrap_dims
from ..core.tensor import blank
from ..dispatch.aten import aten
from ..opdef.form import Op
from ..opdef.rules import reduced_shape
from .reduce import accumulator

NO_GRADIENT = "a truth value has no gradient"


def _decide(ufunc, neutral: bool, self, dim, keepdim: bool):
    """Whether any or all elements are true; bytes answer in bytes, everything else in booleans."""
    shape = self.array.shape
    dtype = dtypes.uint8 if self.dtype is dtypes.uint8 else dtypes.bool_
    out = blank(reduced_shape(shape, dim, keepdim), dtype)
    if self.array.size == 0:
        return aten.fill_(out, neutral)
    if not shape:
        return aten.copy_(aten.view_as(out, self), aten.to(self, dtypes.bool_))
    shown = out if keepdim else accumulator(out, shape, dim)
    if self.dtype is not dtype:
        self = aten.to(self, dtype)
    aten.fill_(shown, neutral)
    np.copyto(shown.array, ufunc.reduce(self.array, axis=wrap_dims(dim, len(shape)), keepdims=True), casting="unsafe")
    return out


def _one(dim: int) -> tuple[int, ...]:
    return (dim,)


class Any(Op):
    """Whether any element is true."""

    schema = "any(Tensor self) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self):
        return _decide(np.logical_or, False, self, None, False)


class AnyDim(Op):
    """Whether any element along a dimension is true."""

    schema = "any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self, dim, keepdim):
        return _decide(np.logical_or, False, self, _one(dim), keepdim)


class AnyDims(Op):
    """Whether any element along some dimensions is true."""

    schema = "any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self, dim, keepdim):
        return _decide(np.logical_or, False, self, dim, keepdim)


class All(Op):
    """Whether all elements are true."""

    schema = "all(Tensor self) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self):
        return _decide(np.logical_and, True, self, None, False)


class AllDim(Op):
    """Whether all elements along a dimension are true."""

    schema = "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self, dim, keepdim):
        return _decide(np.logical_and, True, self, _one(dim), keepdim)


class AllDims(Op):
    """Whether all elements along some dimensions are true."""

    schema = "all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"
    variants = "method"
    below = NO_GRADIENT

    def body(self, dim, keepdim):
        return _decide(np.logical_and, True, self, dim, keepdim)


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
        out.array[()] = np.count_nonzero(self.array)
        return out
