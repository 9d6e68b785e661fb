"""Powers: of tensors and of numbers, to tensors and to numbers."""

from __future__ import annotations

import cmath
import math

import numpy as np

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.tensor import new_tensor
from ...devices.cpu.errstate import silent
from ...devices.cpu.layout import empty_as
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import rules
from ...opdef.form import Op


def _power(base, exponent, out=None):
    if base.dtype.kind not in "iu" or not (np.asarray(exponent) < 0).any():
        return np.power(base, exponent, out=out)
    # torch: 1 and -1 have integer inverses, everything else falls to zero
    odd = np.where(np.asarray(exponent) % 2 == 0, 1, base)
    unit = np.where(np.abs(base) == 1, odd, 0)
    found = np.where(exponent < 0, unit, np.power(base, np.maximum(exponent, 0)))
    if out is None:
        return found
    np.copyto(out, found)
    return out


# Exponents that have a better way than np.power.
SHORT_CUTS = {2: np.square, 0.5: np.sqrt, 3: lambda x, out=None: np.multiply(np.square(x), x, out=out),
              -1: np.reciprocal, -0.5: lambda x, out=None: np.divide(x.dtype.type(1), np.sqrt(x), out=out),
              -2: lambda x, out=None: np.reciprocal(np.square(x), out=out)}


@silent
def raise_to(base: np.ndarray, exponent, out=None) -> np.ndarray:
    """An array to the power of a number."""
    way = SHORT_CUTS.get(exponent)
    if way is not None and (base.dtype.kind not in "iu" or exponent > 0):
        return way(base, out=out)
    return np.power(base, base.dtype.type(exponent), out=out)


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
    cpu = _power
    grads = _slopes


class PowInPlace(Op):
    """self to the power of each element of exponent, in the place of self."""

    schema = "pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)"
    variants = "method"
    node = "PowBackward1"
    meta = rules.pointwise
    kernel_types = "pow: integral floating complex"
    cpu = _power
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
    slope = aten.mul(result, aten.log(aten.to(self, aten.result_type(self, exponent))))
    zero = _zero(grad)
    return aten.mul(grad, aten.where(flat, zero, slope))


def _zero(grad):
    return aten.scalar_tensor(0.0, dtype=grad.dtype)


def _cast_base(self, exponent):
    """What torch shows at the start of every power: the common type, and the base in it."""
    if self.dtype.category < dtypes.FLOATING and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
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

    def body(self, exponent, out=None):
        base, common = _cast_base(self, exponent)
        if out is not None:
            check_storable(common, out)
        if exponent != 0 and exponent != 1:
            if out is None:
                return new_tensor(np.asarray(raise_to(base._mt_array, exponent)), common)
            return _raise_into(out, base, exponent)
        if out is None:
            out = new_tensor(empty_as(self._mt_array, common.numpy), common)
        else:
            resize_output(out, self._mt_array.shape)
        return aten.fill_(out, 1) if exponent == 0 else aten.copy_(out, base)

    grad_self = _slope


class PowScalarInPlace(Op):
    """self to the power of a number, in the place of self."""

    schema = "pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)"
    variants = "method"
    node = "PowBackward0"

    def body(self, exponent):
        base, common = _cast_base(self, exponent)
        check_storable(common, self)
        if exponent == 0 or exponent == 1:
            return aten.fill_(self, 1) if exponent == 0 else aten.copy_(self, base)
        return _raise_into(self, base, exponent)

    grad_self = _slope


def _raise_into(out, base, exponent):
    if out._mt_array.shape != base._mt_array.shape:
        resize_output(out, base._mt_array.shape)
    if out.dtype is base.dtype:
        raise_to(base._mt_array, exponent, out._mt_array)
    else:
        np.copyto(out._mt_array, raise_to(base._mt_array, exponent), casting="unsafe")
    return out


class PowOfScalar(Op):
    """A number to the power of each element of exponent."""

    schema = "pow.Scalar(Scalar self, Tensor exponent) -> Tensor"
    node = "PowBackward2"

    def body(self, exponent):
        common = aten.result_type(self, exponent)
        out = new_tensor(empty_as(exponent._mt_array, common.numpy), common)
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
    if isinstance(base, complex) or exponent.dtype.is_complex:
        return cmath.log(base)
    return math.log(base) if base > 0 else math.nan


class PowOfScalarOut(Op):
    """A number to the power of each element of exponent, into a given tensor."""

    schema = "pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)"

    def body(self, exponent, out):
        if self != 1:
            return aten.pow(wrap_number(self), exponent, out=out)
        return aten.fill_(resize_output(out, exponent._mt_array.shape), 1)


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
    variants = "method"

    def body(self, exponent):
        wide = _widest(self.dtype, exponent.dtype)
        exponent = aten.to(exponent, wide)
        return aten.pow(aten.to(self, wide), exponent)


class FloatPowerScalar(Op):
    """self to the power of a number, in float64 whatever the type."""

    schema = "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"
    variants = "method"

    def body(self, exponent):
        return aten.pow(aten.to(self, _widest(self.dtype)), exponent)


def _widest(*types):
    return dtypes.complex128 if any(t.is_complex for t in types) else dtypes.float64
