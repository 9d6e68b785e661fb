"""Many elements to few: sums and means. A result is filled with its neutral value, then accumulated into."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core.geometry import wrap_dims
from ..core.tensor import blank
from ..dispatch.aten import aten
from ..opdef.form import Op
from ..opdef.rules import reduced_shape


def accumulator(out, shape, dims, keepdim: bool):
    """A result seen with its reduced dimensions kept, as the kernels write it."""
    if keepdim or not shape:
        return out
    gone = wrap_dims(dims, len(shape))
    kept, strides, steps = [], [], iter(out.stride())
    for i, size in enumerate(shape):
        kept.append(1 if i in gone else size)
        strides.append(0 if i in gone else next(steps))
    return aten.as_strided(out, tuple(kept), tuple(strides))


def sum_to(grad, shape):
    """Undo a broadcast: add up what was repeated."""
    have = grad.array.shape
    if have == tuple(shape):
        return grad
    lead = len(have) - len(shape)
    dims = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1 and have[i + lead] != 1)
    if dims:
        grad = aten.sum(grad, dims, True)
    return aten.view(grad, tuple(shape)) if lead else grad


def sum_type(self, dtype):
    """Integers and booleans are summed as int64."""
    return dtype or (dtypes.int64 if self.dtype.category < dtypes.FLOATING else self.dtype)


class Sum(Op):
    """The sum of all elements."""

    schema = "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def body(self, dtype):
        return aten.sum(self, (), False, dtype=dtype)

    def grad_self(grad, self):
        return aten.expand(grad, tuple(self.shape))


class SumDim(Op):
    """The sum over some dimensions."""

    schema = ("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor")
    variants = "method"
    node = "SumBackward1"

    def body(self, dim, keepdim, dtype):
        dtype = sum_type(self, dtype)
        out = blank(reduced_shape(self.array.shape, dim, keepdim), dtype)
        return sum_into(out, self, dim, keepdim)

    def grad_self(grad, self, dim, keepdim):
        return expand_back(grad, self.array.shape, dim, keepdim)


class SumOut(Op):
    """The sum over some dimensions, into a given tensor."""

    schema = ("sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
              "Tensor(a!) out) -> Tensor(a!)")

    def body(self, dim, keepdim, dtype, out):
        if not out.numel() or not self.dim():
            aten.resize_(out, reduced_shape(self.array.shape, dim, keepdim))
        return sum_into(out, self, dim, keepdim)


def sum_into(out, self, dim, keepdim: bool):
    """Fill with zero, add up; a type that differs is cast first."""
    shown = accumulator(out, self.array.shape, dim, keepdim)
    if self.dtype is not out.dtype:
        self = aten.to(self, out.dtype)
    aten.fill_(shown, 0.0)
    dims = wrap_dims(dim, self.dim())
    np.sum(self.array, axis=dims, out=shown.array, keepdims=True) if self.dim() else np.copyto(out.array, self.array)
    return out


def expand_back(grad, shape, dim, keepdim: bool):
    """The gradient of a sum, one for each element that went into it."""
    if not keepdim and len(shape):
        for d in sorted(wrap_dims(dim, len(shape))) if dim is not None and len(dim) else ():
            grad = aten.unsqueeze(grad, d)
    return aten.expand(grad, tuple(shape))


class Mean(Op):
    """The mean of all elements."""

    schema = "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def body(self, dtype):
        return aten.mean(self, (), False, dtype=dtype)

    def grad_self(grad, self):
        return aten.div(aten.expand(grad, tuple(self.shape)), self.numel())


class MeanDim(Op):
    """The mean over some dimensions."""

    schema = "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"
    node = "MeanBackward1"

    def body(self, dim, keepdim, dtype):
        dtype = _mean_type(self, dtype)
        return mean_into(blank(reduced_shape(self.array.shape, dim, keepdim), dtype), self, dim, keepdim, dtype)

    def grad_self(grad, self, dim, keepdim):
        return aten.div(expand_back(grad, self.array.shape, dim, keepdim), _count(self.array.shape, dim))


class MeanOut(Op):
    """The mean over some dimensions, into a given tensor."""

    schema = ("mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) "
              "-> Tensor(a!)")

    def body(self, dim, keepdim, dtype, out):
        return mean_into(out, self, dim, keepdim, _mean_type(self, dtype))


def mean_into(out, self, dim, keepdim: bool, dtype):
    aten.sum(self, dim, keepdim, dtype=dtype, out=out)
    return aten.div_(out, _count(self.array.shape, dim))


def _count(shape, dim) -> int:
    count = 1
    for d in wrap_dims(dim, len(shape)):
        count *= shape[d]
    return count


def _mean_type(self, dtype):
    found = dtype or self.dtype
    if found.category < dtypes.FLOATING:
        what, given = ("the output dtype", "dtype") if dtype else ("the input dtype", "input")
        raise RuntimeError(f"mean(): could not infer output dtype. {given.capitalize()} dtype must be either a floating "
                           f"point or complex dtype. Got: {found.short}" if given == "input" else
                           f"mean(): {what} must be either a floating point or complex dtype. Got: {found.short}")
    return found
