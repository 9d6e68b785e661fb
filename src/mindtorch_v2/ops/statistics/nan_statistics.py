"""Means and medians that leave out what is not a number."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.tensor import numel_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..reduce.minmax_reduce import all_equal_gradient
from ..reduce.reduction import check_not_empty
from ..reduce.sort import (
    MEDIAN,
    MEDIAN_DIM,
    MEDIAN_INDICES,
    MEDIAN_VALUES,
    middle_along,
    middle_of_nothing,
    ranked_rule,
    selected_gradient,
)


class Nanmean(Op):
    """The mean of all numbers over some dimensions."""

    schema = "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method out"

    def body(self, dim, keepdim, dtype):
        _check_mean(self)
        count = _numbers(aten.detach(self), dim, keepdim)
        return aten.div(aten.nansum(self, dim, keepdim, dtype=dtype), count)

    def out(self, dim, keepdim, dtype, out):
        _check_mean(self)
        count = _numbers(self, dim, keepdim)
        return aten.div_(aten.nansum(self, dim, keepdim, dtype=dtype, out=out), count)


def _check_mean(self) -> None:
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError("nanmean(): expected input to have floating point or complex dtype but got "
                           f"{self.dtype.short}")


def _numbers(self, dim, keepdim: bool):
    """How many elements are numbers."""
    return aten.sum(aten.logical_not_(aten.ne(self, self)), dim, keepdim)


class Nanmedian(Op):
    """The number in the middle, the lower one of two; NaN if there is no number."""

    schema = "nanmedian(Tensor self) -> Tensor"
    variants = "method"

    def meta(self):
        if numel_of(self):
            MEDIAN.check(self.dtype)
        return Spec((), self.dtype)

    def body(self):
        if numel_of(self) == 0:
            return aten.to(middle_of_nothing(self.dtype), dtype=self.dtype, layout=strided)
        copied = aten.clone(self)
        out = aten.empty((), dtype=self.dtype)
        run.nanmedian(out, copied)
        return out

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


class NanmedianDim(Op):
    """The numbers in the middle along a dimension, and where they stand."""

    schema = "nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    node = "NanmedianBackward1"
    results = "values indices"

    def body(self, dim, keepdim):
        values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        return aten.nanmedian(self, dim, keepdim, values=values, indices=indices)

    grad_self = selected_gradient


class NanmedianDimValues(Op):
    """The same into given tensors."""

    schema = ("nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
              "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")
    below = "writes into tensors"
    results = "values indices"
    out_words = (MEDIAN_VALUES, MEDIAN_INDICES)

    def meta(self, dim, keepdim):
        check_not_empty("median()", self, dim)
        MEDIAN_DIM.check(self.dtype)
        return ranked_rule(self, dim, keepdim)

    def into(values, indices, self, dim, keepdim):
        middle_along(run.nanmedian_along, values, indices, self, dim, keepdim)
