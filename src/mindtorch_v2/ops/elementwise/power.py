# cython: annotation_typing=False
"""Powers: of tensors and of numbers, to tensors and to numbers."""

from __future__ import annotations

import cmath
import math

from ...core import dtype as dtypes
from ...core import promotion
from ...core.device import contiguous_format
from ...core.tensor import Tensor, blank, shape_of
from ...devices.kernel import elementwise
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.out_argument import check_storable, resize_output
from ...dispatch.structured import result_for
from ...opdef import rules
from ...opdef.form import Op
from ..shared.layout import into


def _slopes(grad, self, exponent, result, needs):
    of_exponent = _slope_of_exponent(grad, self, exponent, result) if needs[1] else None
    return _slope_of_base(grad, self, exponent) if needs[0] else None, of_exponent


class Pow(Op):
    """self to the power of each element of exponent."""

    schema = "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"
    variants = "method out"
    node = "PowBackward1"
    meta = rules.pointwise
    kernel_types = "pow: integral floating complex"
    grads = _slopes


class PowInPlace(Op):
    """self to the power of each element of exponent, in the place of self."""

    schema = "pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)"
    variants = "method"
    node = "PowBackward1"
    meta = rules.pointwise
    kernel = "pow"
    kernel_types = "pow: integral floating complex"
    grads = _slopes


def _slope_of_base(grad, self, exponent):
    inner = aten.pow(self, aten.sub(exponent, 1))
    slope = aten.mul(grad, aten.mul(exponent, inner))
    zero = _zero(grad)
    return aten.where(aten.eq(exponent, 0.0), zero, slope)


def _slope_of_exponent(grad, self, exponent, result):
    """At a base of zero the logarithm is left out, where the power itself is zero or one."""
    growing = aten.ge(aten.real(exponent) if exponent.dtype.is_complex else exponent, 0)
    flat = aten.logical_and(aten.eq(self, 0), growing)
    logarithm = aten.log(aten.to(self, aten.result_type(self, exponent)))
    if exponent.dtype.is_complex and not self.dtype.is_complex:
        logarithm = aten.conj(logarithm)  # what was saved comes conjugated, but a real base has no part that shows it
    slope = aten.mul(result, logarithm)
    zero = _zero(grad)
    return aten.mul(grad, aten.where(flat, zero, slope))


def _zero(grad):
    return aten.scalar_tensor(0.0, dtype=grad.dtype)


def _cast_base(self, exponent):
    """What torch shows at the start of every power: the common type, and the base in it."""
    if self.dtype.category < dtypes.FLOATING and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if is_unobserved() and promotion.type_with(self, exponent) is self.dtype:
        return self, self.dtype
    common = aten.result_type(self, exponent)
    return aten.to(self, common), common


def _slope(grad, self, exponent):
    if exponent == 0:
        return aten.zeros_like(self, memory_format=contiguous_format)
    factor = exponent if isinstance(exponent, complex) else float(exponent)
    power = aten.pow(self, factor - 1)  # by name: torch keeps what an expression makes to its end
    slope = aten.mul(power, factor)
    return aten.mul(grad, slope)


class PowScalar(Op):
    """self to the power of a number."""

    schema = "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"
    variants = "method out"
    node = "PowBackward0"
    tuned = "the common type is worked out by an op, which shows as a row"

    def meta(self, exponent, *_):
        return rules.elementwise((self,), promotion.result_type(self, exponent))

    def body(self, exponent, out=None):
        base, common = _cast_base(self, exponent)
        if out is not None:
            check_storable(common, out)
        return _raise_into(result_for((base,), common, out), base, exponent)

    grad_self = _slope


class PowScalarInPlace(Op):
    """self to the power of a number, in the place of self."""

    schema = "pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)"
    variants = "method"
    node = "PowBackward0"

    def body(self, exponent):
        base, common = _cast_base(self, exponent)
        check_storable(common, self)
        return _raise_into(self, base, exponent)

    grad_self = _slope


def _raise_into(out, base, exponent):
    """A tensor, in the type of the power, to the power of a number, written into another."""
    if exponent == 0 or exponent == 1:
        return aten.fill_(out, 1) if exponent == 0 else aten.copy_(out, base)
    elementwise.pow_scalar(out, base, exponent)
    return out


class PowOfScalar(Op):
    """A number to the power of each element of exponent."""

    schema = "pow.Scalar(Scalar self, Tensor exponent) -> Tensor"
    variants = "out"
    node = "PowBackward2"

    def body(self, exponent, out=None):
        if out is None:
            out = blank(shape_of(exponent), aten.result_type(self, exponent))
        else:
            resize_output(out, shape_of(exponent))
        return aten.fill_(out, 1) if self == 1 else aten.pow(wrap_number(self), exponent, out=out)

    def grad_exponent(grad, self, exponent, result):
        slope = aten.mul(result, _logarithm(self, exponent))
        if self == 0:
            kept = aten.zeros((), dtype=grad.dtype)
            growing = aten.ge(aten.real(exponent) if exponent.dtype.is_complex else exponent, 0)
            slope = aten.where(growing, kept, slope)
        return aten.mul(grad, slope)


def _logarithm(base, exponent):
    """The logarithm of a number, which is complex where the power is."""
    if base == 0:
        return -math.inf
    if isinstance(base, complex):
        return cmath.log(base)
    if exponent.dtype.is_complex:  # what was saved comes conjugated, but a real base has no part that shows it
        return cmath.log(base).conjugate()
    return math.log(base) if base > 0 else math.nan


class Square(Op):
    """self times itself."""

    schema = "square(Tensor self) -> Tensor"
    variants = "method inplace out"

    def body(self, out=None):
        return aten.pow(self, 2) if out is None else aten.pow(self, 2, out=out)

    def inplace(self):
        return aten.pow_(self, 2)


class FloatPower(Op):
    """self to the power of exponent, in float64 whatever the types."""

    schema = "float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"
    variants = "method out"

    def body(self, exponent, out=None):
        wide = _widest(out, self, exponent)
        exponent = aten.to(exponent, wide)
        return aten.pow(aten.to(self, wide), exponent, **into(out))


class FloatPowerScalar(Op):
    """self to the power of a number, in float64 whatever the type."""

    schema = "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"
    variants = "method out"

    def body(self, exponent, out=None):
        return aten.pow(aten.to(self, _widest(out, self, exponent)), exponent, **into(out))


class FloatPowerOfNumber(Op):
    """A number to the power of each element of exponent, in float64 whatever the type."""

    schema = "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor"
    variants = "out"

    def body(self, exponent, out=None):
        exponent = aten.to(exponent, _widest(out, self, exponent))
        return aten.pow(complex(self) if exponent.dtype.is_complex else float(self), exponent, **into(out))


def _widest(out, *operands):
    """The type that is computed in, which a given result must have."""
    is_complex = any([t.dtype.is_complex if isinstance(t, Tensor) else isinstance(t, complex) for t in operands])
    wide = dtypes.complex128 if is_complex else dtypes.float64
    if out is not None and out.dtype is not wide:
        raise RuntimeError(f"the output given to float_power has dtype {out.dtype.short} but the operation's result "
                           f"requires dtype {wide.short}")
    return wide


def _check_base(self, *operands) -> None:
    is_complex = any([t.dtype.is_complex if isinstance(t, Tensor) else isinstance(t, complex) for t in operands])
    wide = dtypes.complex128 if is_complex or self.dtype.is_complex else dtypes.float64
    if self.dtype is not wide:
        raise RuntimeError(f"the base given to float_power_ has dtype {self.dtype.short} but the operation's result "
                           f"requires dtype {wide.short}")


class FloatPowerInPlace(Op):
    """The same in the place of self, which is of that type."""

    schema = "float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)"
    variants = "method"

    def body(self, exponent):
        _check_base(self, exponent)
        return aten.pow_(self, aten.to(exponent, self.dtype))


class FloatPowerScalarInPlace(Op):
    """The same in the place of self, to the power of a number."""

    schema = "float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)"
    variants = "method"

    def body(self, exponent):
        _check_base(self, exponent)
        return aten.pow_(self, exponent)
