"""Running sums and products along a dimension."""

from __future__ import annotations

import numpy as np

from ...core.dtype import C_NAMES, bool_
from ...core.geometry import wrap_dim
from ...core.tensor import blank
from ...dispatch.aten import aten
from ...devices.cpu.errstate import silent
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec, like
from .sums import sum_type


def _scan_meta(self, dim, dtype=None):
    wrap_dim(dim, self.dim())
    return Spec(self._mt_array.shape, sum_type(self, dtype))


@silent
def _scan(ufunc, out, self, dim: int):
    """Accumulate along a dimension into ``out``; what differs in type is cast first."""
    if self._mt_array.size == 0:
        return aten.zero_(out)
    if not self._mt_array.ndim:
        return aten.fill_(out, self)
    source = aten.to(self, out.dtype)._mt_array
    dim = wrap_dim(dim, source.ndim)
    if source.dtype.itemsize == 2 and source.dtype.kind not in "iu":  # half precision accumulates in float32
        np.copyto(out._mt_array, ufunc.accumulate(source.astype(np.float32), dim), casting="unsafe")
    else:
        ufunc.accumulate(source, dim, source.dtype, out._mt_array)
    return out


def _scan_in_place(kernel: str, ufunc, self, dim: int, dtype):
    if dtype is not None and dtype is not self.dtype:
        raise RuntimeError(f"Bad in-place call: input tensor dtype {C_NAMES[self.dtype.name]} and output tensor dtype "
                           f"{C_NAMES[dtype.name]} should match")
    if self.dtype is bool_ and self._mt_array.ndim and self._mt_array.size:
        raise not_implemented(kernel, bool_)
    return _scan(ufunc, self, self, dim)


def _check_sums(kernel: str, self, dtype) -> None:
    if sum_type(self, dtype) is bool_ and self._mt_array.ndim and self._mt_array.size:
        raise not_implemented(kernel, bool_)


def reversed_cumsum(grad, dim: int):
    """Sums from the end."""
    return aten.flip(aten.cumsum(aten.flip(grad, (dim,)), dim), (dim,))


class Cumsum(Op):
    """Running sums along a dimension."""

    schema = "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"
    meta = _scan_meta
    variants = "method inplace"

    def body(self, dim, dtype):
        _check_sums("cumsum_out_cpu", self, dtype)
        return _scan(np.add, blank(self._mt_array.shape, sum_type(self, dtype)), self, dim)

    def inplace(self, dim, dtype):
        return _scan_in_place("cumsum_out_cpu", np.add, self, dim, dtype)

    def grad_self(grad, self_dtype, dim):
        grad = aten.to(grad, self_dtype)
        if grad._mt_array.size <= 1 or grad._mt_array.shape[dim] == 1:
            return grad
        return reversed_cumsum(grad, dim)


class Cumprod(Op):
    """Running products along a dimension."""

    schema = "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"
    meta = _scan_meta
    variants = "method inplace"

    def body(self, dim, dtype):
        _check_sums("cumprod_out_cpu", self, dtype)
        return _scan(np.multiply, blank(self._mt_array.shape, sum_type(self, dtype)), self, dim)

    def inplace(self, dim, dtype):
        return _scan_in_place("cumprod_out_cpu", np.multiply, self, dim, dtype)

    def grad_self(grad, self, dim, result):
        return aten.cumprod_backward(aten.to(grad, self.dtype), self, dim, result)


class CumprodBackward(Op):
    """The gradient of running products; a zero ends the sums that may be divided by their element."""

    schema = "cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"

    def body(grad, input, dim, output):
        if input._mt_array.size <= 1 or input._mt_array.shape[dim] == 1:
            return grad
        weighted = aten.mul(output, grad)
        zero = aten.eq(input, 0)
        if not aten.item(aten.any(zero)):
            return aten.div(reversed_cumsum(weighted, dim), input)
        return _with_zeros(grad, input, dim, weighted, zero)


def _with_zeros(grad, input, dim: int, weighted, zero):
    """Up to the first zero as ever; at it, the sum of the products without it; after it, nothing."""
    seen = aten.cumsum(zero, dim)
    before = aten.eq(seen, 0)
    made = aten.div(reversed_cumsum(aten.mul(weighted, before), dim), aten.masked_fill(input, zero, 1))
    made = aten.mul(made, before)
    first = aten.logical_and(zero, aten.eq(seen, 1))
    skipped = aten.cumprod(aten.masked_fill(input, first, 1), dim)
    after = aten.mul(aten.mul(grad, skipped), aten.eq(seen, 1))
    till_next = aten.sum(after, (dim,), True)
    return aten.add(made, aten.mul(till_next, first))


class Logcumsumexp(Op):
    """Running logarithms of sums of exponentials."""

    schema = "logcumsumexp(Tensor self, int dim) -> Tensor"
    variants = "method"

    def body(self, dim):
        return aten._logcumsumexp(self, wrap_dim(dim, self.dim()))

    def grad_self(grad, self, result, dim):
        if not self.dim() or not self._mt_array.size:
            return grad
        lowest = aten.scalar_tensor(_smallest(grad.dtype), dtype=grad.dtype)
        size = aten.log(aten.abs(grad))
        rising = aten.where(aten.gt(grad, 0), size, lowest)
        falling = aten.where(aten.lt(grad, 0), size, lowest)
        up = aten.exp(aten.add(_reversed(aten.sub(rising, result), dim), self))
        down = aten.exp(aten.add(_reversed(aten.sub(falling, result), dim), self))
        return aten.sub(up, down)


class LogcumsumexpInner(Op):
    """What logcumsumexp does."""

    schema = "_logcumsumexp(Tensor self, int dim) -> Tensor"
    meta = like
    kernel_types = "logcumsumexp_out_cpu: floating complex"
    below = "logcumsumexp has the derivative"
    internal = "the inner half of logcumsumexp"

    @silent
    def body(self, dim):
        from ...core.device import contiguous_format
        out = aten.empty_like(self, memory_format=contiguous_format)
        if self._mt_array.ndim:
            source = self._mt_array.astype(np.float32) if self._mt_array.dtype.itemsize == 2 else self._mt_array
            np.copyto(out._mt_array, _log_sums(source, dim), casting="unsafe")
        else:
            np.copyto(out._mt_array, self._mt_array)
        return out


def _log_sums(source, dim: int):
    """Complex ones relative to the largest real part so far, so that no exponential overflows."""
    if source.dtype.kind != "c" or not source.size:
        return np.logaddexp.accumulate(source, dim) if source.dtype.kind != "c" else source
    slices = np.moveaxis(source, dim, 0)
    sums = np.empty_like(slices)
    sums[0] = slices[0]
    for k in range(1, len(slices)):
        before, value = sums[k - 1], slices[k]
        larger = np.where(before.real >= value.real, before, value)
        smaller = np.where(before.real >= value.real, value, before)
        sums[k] = larger + np.log1p(np.exp(smaller - larger))
    return np.moveaxis(sums, 0, dim)


def _reversed(t, dim: int):
    return aten.flip(aten.logcumsumexp(aten.flip(t, (dim,)), dim), (dim,))


def _smallest(dtype) -> float:
    return float(np.finfo(dtype.numpy).min) if dtype.itemsize > 2 else -65504.0 if dtype.name == "float16" else -3.38e38
