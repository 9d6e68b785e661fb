"""Running sums and products along a dimension."""

from __future__ import annotations

from ...core.device import contiguous_format, strided
from ...core.dtype import bool_, finfo
from ...core.geometry import wrap_dim
from ...core.kinds import holds_many
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec, c_name, like
from .reduction import sum_type


def _scan_meta(self, dim, dtype=None):
    wrap_dim(dim, ndim_of(self))
    return Spec(shape_of(self), sum_type(self, dtype))


def _scan(kernel, kernel_name: str, out, self, dim: int) -> None:
    """Accumulate along a dimension into ``out``; what differs in type is cast first."""
    if numel_of(self) == 0:
        aten.zero_(out)
    elif not ndim_of(self):
        aten.fill_(out, self)
    elif out.dtype is bool_:
        raise not_implemented(kernel_name, bool_)
    else:
        kernel(out, aten.to(self, out.dtype), wrap_dim(dim, ndim_of(self)))


def _scan_in_place(kernel, kernel_name: str, self, dim: int, dtype):
    """The same where it stands: sums of small integers stay small."""
    if dtype is not None and dtype is not self.dtype:
        raise RuntimeError(f"Bad in-place call: input tensor dtype {c_name(self.dtype)} and output tensor dtype "
                           f"{c_name(dtype)} should match")
    _scan(kernel, kernel_name, self, self, dim)
    return self


def reversed_cumsum(grad, dim: int):
    """Sums from the end."""
    return aten.flip(aten.cumsum(aten.flip(grad, (dim,)), dim), (dim,))


class Cumsum(Op):
    """Running sums along a dimension."""

    schema = "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"
    meta = _scan_meta
    variants = "method inplace out"
    out_type = "any"

    def into(out, self, dim, dtype):
        _scan(run.cumsum, "cumsum_out_cpu", out, self, dim)

    def inplace(self, dim, dtype):
        return _scan_in_place(run.cumsum, "cumsum_out_cpu", self, dim, dtype)

    def grad_self(grad, self_dtype, dim):
        grad = aten.to(grad, self_dtype)
        if numel_of(grad) <= 1 or shape_of(grad)[dim] == 1:
            return grad
        return reversed_cumsum(grad, dim)


class Cumprod(Op):
    """Running products along a dimension."""

    schema = "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"
    meta = _scan_meta
    variants = "method inplace out"
    out_type = "any"

    def into(out, self, dim, dtype):
        _scan(run.cumprod, "cumprod_out_cpu", out, self, dim)

    def inplace(self, dim, dtype):
        return _scan_in_place(run.cumprod, "cumprod_out_cpu", self, dim, dtype)

    def grad_self(grad, self, dim, result):
        return aten.cumprod_backward(aten.to(grad, self.dtype), self, dim, result)


class CumprodBackward(Op):
    """The gradient of running products; a zero ends the sums that may be divided by their element."""

    schema = "cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"

    def body(grad, input, dim, output):
        if numel_of(input) <= 1 or shape_of(input)[dim] == 1:
            return grad
        weighted = aten.mul(output, grad)
        zero = aten.eq(input, 0)
        if not holds_many(zero) and (not has_values(input) or not aten.item(aten.any(zero))):
            return aten.div(reversed_cumsum(weighted, dim), input)
        return _with_zeros(grad, input, dim, weighted, zero)


def _with_zeros(grad, input, dim: int, weighted, zero):
    """Up to the first zero as ever; at it, the sum of the products without it; after it, nothing."""
    seen = aten.cumsum(zero, dim)
    before = aten.eq(seen, 0)
    quotient = aten.div(reversed_cumsum(aten.mul(weighted, before), dim), aten.masked_fill(input, zero, 1))
    quotient = aten.mul(quotient, before)
    first = aten.logical_and(zero, aten.eq(seen, 1))
    skipped = aten.cumprod(aten.masked_fill(input, first, 1), dim)
    after = aten.mul(aten.mul(grad, skipped), aten.eq(seen, 1))
    till_next = aten.sum(after, (dim,), True)
    return aten.add(quotient, aten.mul(till_next, first))


class Logcumsumexp(Op):
    """Running logarithms of sums of exponentials."""

    schema = "logcumsumexp(Tensor self, int dim) -> Tensor"
    variants = "method out"
    overlap = "shares_inputs"

    def body(self, dim):
        return aten._logcumsumexp(self, wrap_dim(dim, ndim_of(self)))

    def out(self, dim, out):
        if out.dtype is not self.dtype:
            raise RuntimeError(f"expected scalar_type {self.dtype.short} but found {out.dtype.short}")
        return aten._logcumsumexp(aten.to(self, dtype=out.dtype, layout=strided), wrap_dim(dim, ndim_of(self)), out=out)

    def composed(self, dim):
        if not ndim_of(self) or not numel_of(self):
            return aten.add(self, 0)
        largest = aten.detach(aten.amax(aten.real(self), (dim,), True))
        return aten.add(aten.log(aten.cumsum(aten.exp(aten.sub(self, largest)), dim)), largest)

    def grad_self(grad, self, result, dim):
        if not ndim_of(self) or not numel_of(self):
            return grad
        if grad.dtype.is_complex:  # self and result come conjugated
            return aten.exp(aten.add(_reversed(aten.sub(aten.log(grad), result), dim), self))
        lowest = aten.scalar_tensor(finfo(grad.dtype).min, dtype=grad.dtype)
        size = aten.log(aten.abs(grad))
        rising = aten.where(aten.gt(grad, 0), size, lowest)
        falling = aten.where(aten.lt(grad, 0), size, lowest)
        up = aten.exp(aten.add(_reversed(aten.sub(rising, result), dim), self))
        down = aten.exp(aten.add(_reversed(aten.sub(falling, result), dim), self))
        return aten.sub(up, down)


class LogcumsumexpInner(Op):
    """What logcumsumexp does."""

    schema = "_logcumsumexp(Tensor self, int dim) -> Tensor"
    variants = "out"
    overlap = "shares_inputs"
    meta = like
    kernel_types = "logcumsumexp_out_cpu: floating complex"
    below = "logcumsumexp has the derivative"
    internal = "the inner half of logcumsumexp"

    def body(self, dim):
        out = aten.empty_like(self, memory_format=contiguous_format)
        if ndim_of(self):
            run.logcumsumexp(out, self, dim)
        else:
            aten.fill_(out, self)
        return out

    def into(out, self, dim):
        if ndim_of(self):
            run.logcumsumexp(out, self, dim)
        else:
            aten.fill_(out, self)


def _reversed(t, dim: int):
    return aten.flip(aten.logcumsumexp(aten.flip(t, (dim,)), dim), (dim,))
