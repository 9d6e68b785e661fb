"""Numbers in floating point: signs, neighbours, mantissas and exponents, the longest side of a right triangle."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.resize import resize
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import run_kernel
from ...dispatch.out_argument import resize_output
from ...opdef import operator, rules, table
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ..shared.not_differentiable import UNKNOWN, unknown

EXPONENT = KernelTypes("ldexp_cpu_exp: integral")


def _slope_of_copysign(grad, self, result):
    """The ratio of signs, and nothing where there is no sign."""
    ratio = aten.div(result, self)
    return aten.mul(grad, aten.masked_fill_(ratio, aten.eq(self, 0), 0))


class Copysign(Op):
    """The size of self with the sign of other."""

    schema = "copysign.Tensor(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "copysign_cpu: floating"

    def grads(grad, self, other_shape, result, needs):
        of_other = aten.zeros(other_shape, dtype=grad.dtype) if needs[1] else None
        return _slope_of_copysign(grad, self, result) if needs[0] else None, of_other


class CopysignOfNumber(Op):
    """The size of self with the sign of a number."""

    schema = "copysign.Scalar(Tensor self, Scalar other) -> Tensor"
    variants = "method inplace Scalar_out"
    node = "CopysignBackward1"
    grad_self = _slope_of_copysign

    def meta(self, other, *_):
        return rules.pointwise_float(self, wrap_number(other))

    def body(self, other, out=None):
        operands = self, wrap_number(other)
        if out is None:
            return run_kernel(Copysign.op, operands)
        return run_kernel(table.find("copysign", "out"), (*operands, out))

    def inplace(self, other):
        return run_kernel(table.find("copysign_", "Tensor"), (self, wrap_number(other)))


class Hypot(Op):
    """The square root of the sum of two squares."""

    schema = "hypot(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise
    kernel_types = "hypot_cpu: floating"

    def grads(grad, self, other, result, needs):
        of_self = aten.div(aten.mul(grad, self), result) if needs[0] else None
        return of_self, aten.div(aten.mul(grad, other), result) if needs[1] else None


class Nextafter(Op):
    """The next number that can be written, on the way to other."""

    schema = "nextafter(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise
    kernel_types = "nextafter_cpu: floating"

    def grads(grad, self, other, needs):
        of_other = aten.zeros(shape_of(other), dtype=grad.dtype) if needs[1] else None
        return aten.where(aten.ne(self, other), grad, 0.0) if needs[0] else None, of_other


def _step(self, values, *rest) -> None:
    if self.dtype.is_complex or values.dtype.is_complex:
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if self.dtype is not values.dtype or any(out.dtype is not self.dtype for out in rest):
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


class Heaviside(Op):
    """Zero below zero, one above it, and a given value at zero."""

    schema = "heaviside(Tensor self, Tensor values) -> Tensor"
    variants = "method out"
    meta = rules.Checked(operator.SAME, _step)
    node, grads_of, grads = UNKNOWN, "self values", unknown("heaviside")


class HeavisideInPlace(Op):
    """The same in the place of self."""

    schema = "heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!)"
    variants = "method"
    meta = rules.Checked(operator.SAME, _step)
    kernel = "heaviside"
    node, grads_of, grads = UNKNOWN, "self values", unknown("heaviside_")


def _slopes_of_ldexp(grad, self, other, result, needs):
    of_other = aten.mul(aten.mul(grad, result), math.log(2)) if needs[1] else None
    return aten.mul(grad, aten.pow(2, other)) if needs[0] else None, of_other


def _ldexp_rule(self, other, out=None):
    if not _is_exact(self, other):
        return rules.pointwise_float(self, other)
    EXPONENT.check(other.dtype)
    if out is not None and out.dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"ldexp can't be cast to the desired output type {out.dtype.short}")
    return rules.elementwise((self, other), self.dtype)


class Ldexp(Op):
    """self times two to the power of other."""

    schema = "ldexp.Tensor(Tensor self, Tensor other) -> Tensor"
    variants = "method"
    meta = _ldexp_rule

    def body(self, other):
        if not _is_exact(self, other):
            return aten.mul(self, _power_of_two(self, other))
        out, spec = aten.empty_like(self), _ldexp_rule(self, other)
        if spec.shape != shape_of(self):
            resize(out, spec.shape)
        run.ldexp(out, self, other)
        return out

    grads = _slopes_of_ldexp


class LdexpInPlace(Op):
    """The same in the place of self."""

    schema = "ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)"
    variants = "method"
    grads = _slopes_of_ldexp

    def body(self, other):
        return aten.ldexp(self, other, out=self)


class LdexpOut(Op):
    """The same into a given tensor."""

    schema = "ldexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"
    below = "ldexp has the derivative"
    meta = _ldexp_rule

    def body(self, other, out):
        if not _is_exact(self, other):
            return aten.mul(self, _power_of_two(self, other), out=out)
        spec = _ldexp_rule(self, other)
        run.ldexp(resize_output(out, spec.shape, spec.strides), self, other)
        return out


def _is_exact(self, other) -> bool:
    """Whether exponents are whole and can simply be added."""
    return self.dtype.category == dtypes.FLOATING and other.dtype.category < dtypes.FLOATING


def _power_of_two(self, other):
    if self.dtype.is_complex or other.dtype.is_complex:
        return aten.pow(aten.full((), 2.0, dtype=self.dtype), other)
    return aten.pow(2.0, other)


def _frexp_rule(self):
    if self.dtype.category != dtypes.FLOATING:
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return rules.elementwise((self,), self.dtype), rules.elementwise((self,), dtypes.int32)


class Frexp(Op):
    """A mantissa between a half and one, and the power of two that it is multiplied by."""

    schema = "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"
    results = "mantissa exponent"
    variants = "method"
    meta = _frexp_rule
    no_grad_for = "exponent"

    def body(self):
        mantissa = aten.empty_like(self)
        return aten.frexp(self, mantissa=mantissa, exponent=aten.empty_like(self, dtype=dtypes.int32))

    def grad_self(grad, exponent):
        return aten.div(grad, aten.exp2(exponent))


class FrexpOut(Op):
    """The same into given tensors."""

    schema = ("frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) "
              "-> (Tensor(a!) mantissa, Tensor(b!) exponent)")
    results = "mantissa exponent"
    meta = _frexp_rule
    out_words = ("torch.frexp() expects mantissa to have dtype {wanted_in_c} but got {given_in_c}",
                 "torch.frexp() expects exponent to have int dtype but got {given_in_c}")

    def into(mantissa, exponent, self):
        run.frexp(mantissa, exponent, self)
