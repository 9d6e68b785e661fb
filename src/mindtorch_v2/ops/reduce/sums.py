# cython: annotation_typing=False
"""Many elements to few: sums, means and products. A result is filled with its neutral value, then accumulated into."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dims
from ...core.tensor import Tensor, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import table
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from .reduction import accumulator, check_asked, count, expand_back, in_type, prefill, reduced, sum_rule, unsqueezed

_HALF_BYTES = 2


def sum_to(grad, shape):
    """Undo a broadcast: add up what was repeated."""
    have = shape_of(grad)
    if have == tuple(shape):
        return grad
    if not shape:
        return dispatcher.call(_SUM, (grad, None))
    lead = len(have) - len(shape)
    dims = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1 and have[i + lead] != 1)
    if dims:
        grad = dispatcher.call(_SUM_DIM, (grad, dims, True, None))
    return aten.view.call2(grad, tuple(shape)) if lead else grad


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
    variants = "method IntList_out"
    node = "SumBackward1"
    meta = sum_rule
    overlap = "expanded_out shares_inputs"
    out_type = "any"

    def into(out: Tensor, self: Tensor, dim, keepdim, dtype):
        if dtype is not None:
            check_asked(out, dtype)
        shown = accumulator(out, self, dim, keepdim)
        self = in_type(self, out.dtype)
        if numel_of(self) == 0:
            aten.zero_(out)
        else:
            prefill(shown, 0.0)
            _ADD_UP(shown, self, wrap_dims(dim, ndim_of(self)))

    def grad_self(grad, self_shape, dim, keepdim):
        return expand_back(grad, self_shape, dim, keepdim)


class Mean(Op):
    """The mean of all elements."""

    schema = "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"
    variants = "method dtype_out"
    overlap = "expanded_out shares_inputs"
    out_type = "any"

    def body(self: Tensor, dtype):
        return dispatcher.call(_MEAN_DIM, (self, (), False, dtype))

    def meta(self, dtype):
        return reduced(self, (), False, _mean_type(self, dtype))

    def check_out(self, dtype, out):
        if (dtype or self.dtype).category > out.dtype.category:
            raise RuntimeError("mean.dtype_out(): input types can't be cast to the desired output type "
                               f"{out.dtype.short}")

    def into(out: Tensor, self: Tensor, dtype):
        _mean_into(out, self, (), False, dtype)

    def grad_self(grad, self_shape):
        return aten.div(aten.expand(grad, self_shape), count(self_shape, None))


class MeanDim(Op):
    """The mean over some dimensions."""

    schema = "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method .out"
    node = "MeanBackward1"
    overlap = "shares_inputs"
    out_type = "any"

    def meta(self, dim, keepdim, dtype):
        return reduced(self, dim, keepdim, _mean_type(self, dtype))

    def into(out: Tensor, self: Tensor, dim, keepdim, dtype):
        _mean_into(out, self, dim, keepdim, dtype)

    def grad_self(grad, self_shape, dim, keepdim):
        return aten.div(expand_back(grad, self_shape, dim, keepdim), count(self_shape, dim))


def _mean_into(out: Tensor, self: Tensor, dim, keepdim: bool, dtype) -> None:
    if dtype is not None:
        check_asked(out, dtype)
    elif out.dtype is not self.dtype:
        check_storable(self.dtype, out)
    is_half = out.dtype.itemsize == _HALF_BYTES  # added up and divided in float32, on the side
    total = aten.to(out, dtypes.float32) if is_half else out
    if dispatcher.is_unobserved():
        SumDim.into(total, self, dim, keepdim, None)
    else:
        dispatcher.call(_SUM_OUT, (self, dim, keepdim, total.dtype, total))
    aten.div_(total, count(shape_of(self), dim))
    if is_half:
        aten.copy_(out, total)


def _mean_type(self, dtype):
    asked = dtype or self.dtype
    if asked.category < dtypes.FLOATING:
        raise RuntimeError(f"mean(): could not infer output dtype. {'Optional' if dtype else 'Input'} dtype must be "
                           f"either a floating point or complex dtype. Got: {asked.short}")
    return asked


class Nansum(Op):
    """The sum over some dimensions, NaN counting as zero."""

    schema = "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    variants = "method out"
    overlap = "expanded_out shares_inputs"

    def meta(self, dim, keepdim, dtype, out=None):
        if self.dtype.is_complex:
            raise RuntimeError("nansum on CPU does not support complex inputs")
        return sum_rule(self, dim, keepdim, dtype)

    def body(self: Tensor, dim, keepdim, dtype, out=None):
        spec = sum_rule(self, dim, keepdim, dtype)
        if out is None:
            out = aten.empty(spec.shape, dtype=spec.dtype)
        if self.dtype.category < dtypes.FLOATING:  # which have no NaN
            return aten.sum(self, dim, keepdim, dtype=dtype, out=out)
        check_asked(out, dtype)
        shown = accumulator(resize_output(out, spec.shape), self, dim, keepdim)
        if out.dtype.category != dtypes.FLOATING:
            raise not_implemented("nansum_cpu", out.dtype)
        self = in_type(self, out.dtype)
        if numel_of(self) == 0:
            aten.zero_(out)
        else:
            prefill(shown, 0)
            run.nansum(shown, self, wrap_dims(dim, ndim_of(self)))
        return out

    def grad_self(grad, self, dim, keepdim):
        grad = aten.to(grad, self.dtype)
        counted = aten.logical_not(aten.isnan(self))
        return aten.mul(expand_back(grad, shape_of(self), dim, keepdim), counted)


class Logsumexp(Op):
    """The logarithm of the sum of exponentials, computed without overflow."""

    schema = "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self: Tensor, dim, keepdim):
        dtype = self.dtype if self.dtype.category >= dtypes.FLOATING else dtypes.get_default_dtype()
        return aten.logsumexp(self, dim, keepdim, out=aten.empty((0,), dtype=dtype, layout=strided))

    def grad_self(grad, self, result, dim, keepdim):
        shape = shape_of(self)
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
        if numel_of(self) == 0:
            return aten.log_(aten.sum(aten.exp(self), dim, keepdim, out=out))
        highest = aten.amax(aten.real(self), dim, True)
        shown = highest if keepdim else aten.squeeze(highest, dim)
        aten.masked_fill_(shown, aten.eq(aten.abs(shown), float("inf")), 0)
        aten.sum(aten.exp_(aten.sub(self, highest)), dim, keepdim, out=out)
        return aten.add_(aten.log_(out), shown)


# What is called above, looked up once.
_ADD_UP = run.sum
_MEAN_DIM = MeanDim.op
_SUM = Sum.op
_SUM_DIM = SumDim.op
_SUM_OUT = table.find("sum", "IntList_out")
