"""Sums under a logarithm, products with one, and the sine cardinal."""

from __future__ import annotations

import math

from ...dispatch.aten import aten
from ...opdef import rules
from ...opdef.form import Op
from .with_numbers import declare_with_numbers


class Logaddexp(Op):
    """The logarithm of exp(self) + exp(other)."""

    schema = "logaddexp(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = rules.pointwise
    kernel_types = "logaddexp_cpu: floating complex"

    def grad_self(grad, self, other):
        return aten.div(grad, aten.add(aten.exp(aten.sub(other, self)), 1))

    def grad_other(grad, self, other):
        return aten.div(grad, aten.add(aten.exp(aten.sub(self, other)), 1))


class Logaddexp2(Op):
    """The logarithm to base 2 of 2**self + 2**other."""

    schema = "logaddexp2(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = rules.pointwise
    kernel_types = "logaddexp2_cpu: floating"

    def grad_self(grad, self, other):
        return aten.div(grad, aten.add(aten.pow(2, aten.sub(other, self)), 1))

    def grad_other(grad, self, other):
        return aten.div(grad, aten.add(aten.pow(2, aten.sub(self, other)), 1))


class Xlog1py(Op):
    """self times the logarithm of 1 + other, zero where self is."""

    schema = "special_xlog1py(Tensor self, Tensor other) -> Tensor"
    variants = "out"
    node = "SpecialXlog1PyBackward0"
    meta = rules.pointwise_float
    kernel_types = "xlog1py_cpu: floating"

    def grad_self(grad, self, other):
        slope = aten.special_xlog1py(grad, other)
        no_logarithm = aten.le(other, -1.0)
        return aten.masked_fill(slope, aten.bitwise_and(aten.eq(self, 0.0), no_logarithm), 0.0)

    def grad_other(grad, self, other):
        return _over_one_plus(grad, self, other)


def _over_one_plus(grad, self, other):
    divisor = aten.add(other, 1)
    return aten.div(aten.mul(grad, self), divisor)


def _grad_by_number(grad, self, other):
    slope = aten.special_xlog1py(grad, other)
    return slope if other > -1 else aten.masked_fill(slope, aten.eq(self, 0.0), 0.0)


declare_with_numbers("special_xlog1py", Xlog1py.op.doc, ("self", "other"),
                     {"node": "SpecialXlog1PyBackward1", "grad_other": _over_one_plus},
                     {"node": "SpecialXlog1PyBackward2", "grad_self": _grad_by_number})


class Sinc(Op):
    """sin(pi * self) / (pi * self), one at zero."""

    schema = "sinc(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, self):
        angle = aten.mul(self, math.pi)
        divisor = aten.mul(aten.mul(self, self), math.pi)
        sine = aten.sin(angle)
        slope = aten.mul(grad, aten.div(aten.sub(aten.mul(angle, aten.cos(angle)), sine), divisor))
        zero = aten.scalar_tensor(0.0, dtype=grad.dtype)
        return aten.where(aten.eq(divisor, 0.0), zero, slope)
