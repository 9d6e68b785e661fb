"""Angles and hyperbolas: sine to inverse hyperbolic tangent, and degrees."""

from __future__ import annotations

import math

import numpy as np

from ..core.modes import is_grad_enabled
from ..dispatch.aten import aten
from ..dispatch.bind import wrap_number
from ..opdef import rules
from ..opdef.form import Op


class Sin(Op):
    """The sine."""

    schema = "sin(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.sin

    def grad_self(grad, self):
        return aten.mul(grad, aten.cos(self))


class Cos(Op):
    """The cosine."""

    schema = "cos(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.cos

    def grad_self(grad, self):
        return aten.mul(grad, aten.neg(aten.sin(self)))


class Tan(Op):
    """The tangent."""

    schema = "tan(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.tan

    def grad_self(grad, result):
        return aten.mul(grad, aten.add(aten.pow(result, 2), 1))


class Asin(Op):
    """The angle whose sine is self."""

    schema = "asin(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arcsin

    def grad_self(grad, self):
        return aten.mul(grad, _inverse_leg(self))


class Acos(Op):
    """The angle whose cosine is self."""

    schema = "acos(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arccos

    def grad_self(grad, self):
        return aten.mul(grad, aten.neg(_inverse_leg(self)))


def _inverse_leg(self):
    """1 / sqrt(1 - self²)."""
    return aten.rsqrt(aten.add(aten.mul(aten.neg(self), self), 1))


class Atan(Op):
    """The angle whose tangent is self."""

    schema = "atan(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arctan

    def grad_self(grad, self):
        return aten.div(grad, aten.add(aten.mul(self, self), 1))


class Atan2(Op):
    """The angle of the point (other, self)."""

    schema = "atan2(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arctan2

    def grads(grad, self, other, needs):
        across = aten.mul(other, other)
        distance = aten.add(aten.mul(self, self), across)
        inverse = aten.reciprocal(distance)
        fill = aten.masked_fill if is_grad_enabled() else aten.masked_fill_  # only one of them can be gone back through
        inverse = fill(inverse, aten.eq(distance, 0), 0)
        of_self = aten.mul(aten.mul(grad, other), inverse) if needs[0] else None
        return of_self, aten.mul(aten.mul(grad, aten.neg(self)), inverse) if needs[1] else None


class Sinh(Op):
    """The hyperbolic sine."""

    schema = "sinh(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.sinh

    def grad_self(grad, self):
        return aten.mul(grad, aten.cosh(self))


class Cosh(Op):
    """The hyperbolic cosine."""

    schema = "cosh(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.cosh

    def grad_self(grad, self):
        return aten.mul(grad, aten.sinh(self))


class Asinh(Op):
    """The inverse hyperbolic sine."""

    schema = "asinh(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arcsinh

    def grad_self(grad, self):
        return aten.mul(grad, aten.rsqrt(aten.add(aten.pow(self, 2), 1)))


class Acosh(Op):
    """The inverse hyperbolic cosine."""

    schema = "acosh(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arccosh

    def grad_self(grad, self):
        if self.dtype.is_complex:  # the root of the product would lie on another branch
            return aten.mul(grad, aten.mul(aten.rsqrt(aten.sub(self, 1)), aten.rsqrt(aten.add(self, 1))))
        return aten.mul(grad, aten.rsqrt(aten.sub(aten.mul(self, self), 1)))


class Atanh(Op):
    """The inverse hyperbolic tangent."""

    schema = "atanh(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    cpu = np.arctanh

    def grad_self(grad, self):
        square = aten.pow(self, 2)
        rest = aten.sub_(aten.fill_(aten.empty_like(square), 1), square)
        return aten.div(aten.mul(grad, 1), rest)


def _no_complex_angle(name: str):
    def check(self, *_):
        if self.dtype.is_complex:
            raise RuntimeError(f"{name} is not supported for complex tensors.")
    return check


class Deg2rad(Op):
    """Degrees as radians."""

    schema = "deg2rad(Tensor self) -> Tensor"
    variants = "method inplace"
    node = "Deg2RadBackward0"
    meta = _no_complex_angle("deg2rad")

    def body(self):
        return aten.deg2rad(self, out=aten.empty_like(self, dtype=rules.pointwise_float.of(self.dtype)))

    def inplace(self):
        return aten.deg2rad(self, out=self)

    def grad_self(grad):
        return aten.mul(grad, math.pi / 180)


class Deg2radOut(Op):
    """Degrees as radians, into a given tensor."""

    schema = "deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    meta = _no_complex_angle("deg2rad")

    def body(self, out):
        return aten.mul(self, wrap_number(math.pi / 180), out=out)


class Rad2deg(Op):
    """Radians as degrees."""

    schema = "rad2deg(Tensor self) -> Tensor"
    variants = "method inplace"
    node = "Rad2DegBackward0"
    meta = _no_complex_angle("rad2deg")

    def body(self):
        return aten.rad2deg(self, out=aten.empty_like(self, dtype=rules.pointwise_float.of(self.dtype)))

    def inplace(self):
        return aten.rad2deg(self, out=self)

    def grad_self(grad):
        return aten.mul(grad, 180 / math.pi)


class Rad2degOut(Op):
    """Radians as degrees, into a given tensor."""

    schema = "rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    meta = _no_complex_angle("rad2deg")

    def body(self, out):
        return aten.mul(self, wrap_number(180 / math.pi), out=out)
