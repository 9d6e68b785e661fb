"""Many elements to few: sums, means and products. A result is filled with its neutral value, then accumulated into."""

from __future__ import annotations

from math import prod

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dims
from ...core.tensor import Tensor, blank
from ...devices import cpu as kernels
from ...devices.cpu.errstate import silent
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import reduced_shape


def _shown(out, shape, strides):
    """as_strided, which view.py declares later."""
    return dispatcher.call(aten.as_strided.only, (out, shape, strides, None))


def accumulator(out, shape, dims):
    """A result seen with its reduced dimensions kept, as the kernels write it."""
    if dims is None or dims == ():
        return _shown(out, (1,) * len(shape), (0,) * len(shape))
    gone = wrap_dims(dims, len(shape))
    kept, strides, steps = [], [], iter(out.stride())
    for i, size in enumerate(shape):
        if i in gone:
            kept.append(1)
            strides.append(0)
        else:
            kept.append(size)
            strides.append(next(steps))
    return _shown(out, tuple(kept), tuple(strides))


def sum_to(grad, shape):
    """Undo a broadcast: add up what was repeated."""
    have = grad._mt_array.shape
    if have == tuple(shape):
        return grad
    if not shape:
        return dispatcher.call(_SUM, (grad, None))
    lead = len(have) - len(shape)
    dims = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1 and have[i + lead] != 1)
    if dims:
        grad = dispatcher.call(_SUM_DIM, (grad, dims, True, None))
    return aten.view.call2(grad, tuple(shape)) if lead else grad


FAST = {np.dtype(np.float32), np.dtype(np.float64)}


def is_run(dims) -> bool:
    """Whether dimensions follow each other, so that they lie in memory as one."""
    return len(dims) < 2 or all([b == a + 1 for a, b in zip(dims, dims[1:])])


def reduce_array(ufunc, array, dims, out) -> None:
    """Reduce into an array with the reduced dimensions kept; half precision accumulates in float32."""
    if ufunc is np.add and array.dtype in FAST and array.flags.c_contiguous and array.size and is_run(dims) \
            and out.flags.c_contiguous:
        if len(dims) == array.ndim:
            kernels.sums.total(out, array, 1, array.size, 1)
            return
        first, last = (dims[0], dims[-1] + 1) if dims else (0, 0)
        shape = array.shape
        kernels.sums.total(out, array, prod(shape[:first]), prod(shape[first:last]), prod(shape[last:]))
    elif not array.ndim:
        np.copyto(out, array)
    else:
        _reduce(ufunc, array, dims, out)


@silent
def _reduce(ufunc, array, dims, out) -> None:
    if array.dtype.itemsize == 2 and array.dtype.kind not in "iu":
        np.copyto(out, ufunc.reduce(array, axis=dims, dtype=np.float32, keepdims=True), casting="unsafe")
    else:
        ufunc.reduce(array, dims if len(dims) < array.ndim else None, None, out, True)


def sum_type(self, dtype):
    """Integers and booleans are summed as int64."""
    return dtype or (dtypes.int64 if self.dtype.category < dtypes.FLOATING else self.dtype)


class Sum(Op):
    """The sum of all elements."""

    schema = "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def body(self: Tensor, dtype):
        return dispatcher.call(_SUM_DIM, (self, (), False, dtype))

    def grad_self(grad, self_shape):
        return aten.expand(grad, self_shape)


class SumDim(Op):
    """The sum over some dimensions."""

    schema = ("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor")
    variants = "method"
    node = "SumBackward1"

    def body(self: Tensor, dim, keepdim, dtype):
        shape = () if not dim and not keepdim else reduced_shape(self._mt_array.shape, dim, keepdim)
        return sum_into(blank(shape, sum_type(self, dtype)), self, dim, keepdim)

    def grad_self(grad, self_shape, dim, keepdim):
        return expand_back(grad, self_shape, dim, keepdim)


class SumOut(Op):
    """The sum over some dimensions, into a given tensor."""

    schema = ("sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
              "Tensor(a!) out) -> Tensor(a!)")
    overlap = "expanded_out shares_inputs"
    below = "writes into a tensor"

    def body(self: Tensor, dim, keepdim, dtype, out):
        shape = reduced_shape(self._mt_array.shape, dim, keepdim)
        resize_output(out, shape)
        return sum_into(out, self, dim, keepdim)


def sum_into(out, self, dim, keepdim: bool):
    """Fill with zero, add up; a type that differs is cast first."""
    shape = self._mt_array.shape
    shown = out if keepdim else accumulator(out, shape, dim)
    if self.dtype is not out.dtype:
        self = aten.to(self, out.dtype)
    if self._mt_array.size == 0:
        return aten.zero_(out)
    aten.fill_.call2(shown, 0.0)
    reduce_array(np.add, self._mt_array, wrap_dims(dim, len(shape)), shown._mt_array)
    return out


def expand_back(grad, shape, dim, keepdim: bool):
    """The gradient of a sum, one for each element that went into it."""
    return aten.expand(unsqueezed(grad, shape, dim, keepdim), tuple(shape))


def unsqueezed(t, shape, dim, keepdim: bool):
    """A reduced tensor with ones where dimensions were reduced; a reduction of everything broadcasts as it is."""
    if not keepdim and len(shape) and dim is not None:
        for d in (dim,) if isinstance(dim, int) else sorted(wrap_dims(dim, len(shape))) if len(dim) else ():
            t = aten.unsqueeze(t, d)
    return t


class Mean(Op):
    """The mean of all elements."""

    schema = "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def body(self: Tensor, dtype):
        return dispatcher.call(_MEAN_DIM, (self, (), False, dtype))

    def grad_self(grad, self_shape):
        return aten.div(aten.expand(grad, self_shape), count(self_shape, None))


class MeanDim(Op):
    """The mean over some dimensions."""

    schema = "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"
    node = "MeanBackward1"

    def body(self: Tensor, dim, keepdim, dtype):
        dtype = _mean_type(self, dtype)
        shape = () if not dim and not keepdim else reduced_shape(self._mt_array.shape, dim, keepdim)
        return mean_into(blank(shape, dtype), self, dim, keepdim, dtype)

    def grad_self(grad, self_shape, dim, keepdim):
        return aten.div(expand_back(grad, self_shape, dim, keepdim), count(self_shape, dim))


class MeanOut(Op):
    """The mean over some dimensions, into a given tensor."""

    schema = ("mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    overlap = "shares_inputs"
    below = "writes into a tensor"

    def body(self: Tensor, dim, keepdim, dtype, out):
        shape = reduced_shape(self._mt_array.shape, dim, keepdim)
        resize_output(out, shape)
        return mean_into(out, self, dim, keepdim, _mean_type(self, dtype))


def mean_into(out, self, dim, keepdim: bool, dtype):
    """Sum and divide; in half precision that happens in float32, on the side."""
    half = out.dtype.itemsize == 2
    into = aten.to(out, dtypes.float32) if half else out
    dispatcher.call(_SUM_OUT, (self, dim, keepdim, into.dtype, into))
    aten.div_(into, count(self._mt_array.shape, dim))
    return aten.copy_(out, into) if half else out


def count(shape, dim) -> int:
    """How many elements go into one result."""
    total = 1
    for d in wrap_dims(dim, len(shape)):
        total *= shape[d]
    return total


def _mean_type(self, dtype):
    found = dtype or self.dtype
    if found.category < dtypes.FLOATING:
        raise RuntimeError(f"mean(): could not infer output dtype. {'Optional' if dtype else 'Input'} dtype must be "
                           f"either a floating point or complex dtype. Got: {found.short}")
    return found


class Nansum(Op):
    """The sum over some dimensions, NaN counting as zero."""

    schema = "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method"

    def meta(self, *_):
        if self.dtype.is_complex:
            raise RuntimeError("nansum on CPU does not support complex inputs")

    def body(self: Tensor, dim, keepdim, dtype):
        shape = self._mt_array.shape
        dtype = sum_type(self, dtype)
        out = aten.empty(reduced_shape(shape, dim, keepdim), dtype=dtype)
        shown = out if keepdim else accumulator(out, shape, dim)
        if self.dtype is not dtype:
            self = aten.to(self, dtype)
        aten.fill_(shown, 0)
        array = self._mt_array
        if dtype.category >= dtypes.FLOATING:
            array = np.where(np.isnan(array), array.dtype.type(0), array)
        reduce_array(np.add, array, wrap_dims(dim, len(shape)), shown._mt_array)
        return out

    def grad_self(grad, self, dim, keepdim):
        grad = aten.to(grad, self.dtype)
        counted = aten.logical_not(aten.isnan(self))
        return aten.mul(expand_back(grad, self._mt_array.shape, dim, keepdim), counted)


class Logsumexp(Op):
    """The logarithm of the sum of exponentials, computed without overflow."""

    schema = "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self: Tensor, dim, keepdim):
        dtype = self.dtype if self.dtype.category >= dtypes.FLOATING else dtypes.get_default_dtype()
        return aten.logsumexp(self, dim, keepdim, out=aten.empty((0,), dtype=dtype, layout=strided))

    def grad_self(grad, self, result, dim, keepdim):
        shape = self._mt_array.shape
        grad, result = unsqueezed(grad, shape, dim, keepdim), unsqueezed(result, shape, dim, keepdim)
        return aten.mul(grad, aten.exp(aten.sub(self, result)))


class LogsumexpOut(Op):
    """The logarithm of the sum of exponentials, into a given tensor."""

    schema = "logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "shares_inputs"
    below = "writes into a tensor"

    def body(self: Tensor, dim, keepdim, out):
        if self.dtype.category < dtypes.FLOATING:
            self = aten.to(self, dtypes.get_default_dtype())
        if self._mt_array.size == 0:
            return aten.log_(aten.sum(aten.exp(self), dim, keepdim, out=out))
        highest = aten.amax(aten.real(self), dim, True)
        shown = highest if keepdim else aten.squeeze(highest, dim)
        aten.masked_fill_(shown, aten.eq(aten.abs(shown), float("inf")), 0)
        aten.sum(aten.exp_(aten.sub(self, highest)), dim, keepdim, out=out)
        return aten.add_(aten.log_(out), shown)


# The ops called above, looked up once.
_MEAN_DIM = MeanDim.op
_SUM = Sum.op
_SUM_DIM = SumDim.op
_SUM_OUT = SumOut.op
