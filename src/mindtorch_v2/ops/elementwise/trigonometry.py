"""Angles and hyperbolas: sine to inverse hyperbolic tangent, and degrees; second names of theirs and of others."""

from __future__ import annotations

import math

from ...core.modes import is_grad_enabled
from ...core.promotion import as_floating
from ...core.tensor import shape_of
from ...devices.kernel import elementwise
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.out_argument import check_storable, resize_output
from ...dispatch.structured import result_for
from ...opdef import rules
from ...opdef.form import Op, declare
from ..shared.layout import dense_like, floating


def _inverse_leg(self):
    """1 / sqrt(1 - self²)."""
    return aten.rsqrt(aten.add(aten.mul(aten.neg(self), self), 1))


def _grad_acosh(grad, self):
    if self.dtype.is_complex:  # the root of the product would lie on another branch
        return aten.mul(grad, aten.mul(aten.rsqrt(aten.sub(self, 1)), aten.rsqrt(aten.add(self, 1))))
    return aten.mul(grad, aten.rsqrt(aten.sub(aten.mul(self, self), 1)))


def _grad_atanh(grad, self):
    square = aten.pow(self, 2)
    rest = aten.sub_(aten.fill_(aten.empty_like(square), 1), square)
    return aten.div(aten.mul(grad, 1), rest)


# name, what it is, its derivative
FUNCTIONS = [
    ("sin", "The sine.", lambda grad, self: aten.mul(grad, aten.cos(self))),
    ("cos", "The cosine.", lambda grad, self: aten.mul(grad, aten.neg(aten.sin(self)))),
    ("tan", "The tangent.", lambda grad, result: aten.mul(grad, aten.add(aten.pow(result, 2), 1))),
    ("asin", "The angle whose sine is self.", lambda grad, self: aten.mul(grad, _inverse_leg(self))),
    ("acos", "The angle whose cosine is self.",
     lambda grad, self: aten.mul(grad, aten.neg(_inverse_leg(self)))),
    ("atan", "The angle whose tangent is self.",
     lambda grad, self: aten.div(grad, aten.add(aten.mul(self, self), 1))),
    ("sinh", "The hyperbolic sine.", lambda grad, self: aten.mul(grad, aten.cosh(self))),
    ("cosh", "The hyperbolic cosine.", lambda grad, self: aten.mul(grad, aten.sinh(self))),
    ("asinh", "The inverse hyperbolic sine.",
     lambda grad, self: aten.mul(grad, aten.rsqrt(aten.add(aten.pow(self, 2), 1)))),
    ("acosh", "The inverse hyperbolic cosine.", _grad_acosh),
    ("atanh", "The inverse hyperbolic tangent.", _grad_atanh),
]

for _name, _doc, _grad in FUNCTIONS:
    declare(f"{_name}(Tensor self) -> Tensor", _doc, meta=rules.pointwise_float, grad_self=_grad,
            variants="method inplace out")


class Atan2(Op):
    """The angle of the point (other, self)."""

    schema = "atan2(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "atan2_cpu: floating"

    def grads(grad, self, other, needs):
        across = aten.mul(other, other)
        distance = aten.add(aten.mul(self, self), across)
        inverse = aten.reciprocal(distance)
        fill = aten.masked_fill if is_grad_enabled() else aten.masked_fill_  # only one of them can be gone back through
        inverse = fill(inverse, aten.eq(distance, 0), 0)
        of_self = aten.mul(aten.mul(grad, other), inverse) if needs[0] else None
        return of_self, aten.mul(aten.mul(grad, aten.neg(self)), inverse) if needs[1] else None


class Angle(Op):
    """The angle of a complex number; of a real one 0, or pi where it is negative."""

    schema = "angle(Tensor self) -> Tensor"
    variants = "method"
    conjugate = False
    tuned = "its result is allocated by a row, after a cast"

    def meta(self):
        return rules.elementwise((self,), as_floating(self.dtype).to_real())

    def body(self):
        if self.dtype.is_complex:
            return aten.angle(self, out=aten.empty((0,), dtype=self.dtype.to_real()))
        x = floating(self)
        out = dense_like(x)
        elementwise.angle(out, x)
        return out

    def grad_self(grad, self):
        if not self.dtype.is_complex:
            return aten.zeros_like(self)
        square = aten.pow(aten.abs(self), 2)
        slope = aten.mul(aten.div(aten.mul(grad, self), square), 1j)
        zero = aten.zeros((), dtype=self.dtype)
        return aten.where(aten.eq(self, 0.0), zero, slope)


class AngleOut(Op):
    """The angle, into a given tensor."""

    schema = "angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    tuned = "it writes itself once more for complex numbers"

    def meta(self, out):
        return rules.elementwise((self,), out.dtype)

    def body(self, out):
        if self.dtype.is_complex and not out.dtype.is_complex:  # torch's kernel leaves angles in complex numbers
            check_storable(self.dtype.to_real(), out)
            angles = AngleOut.body(self, aten.empty((0,), dtype=self.dtype))
            resize_output(out, shape_of(self))
            return aten.copy_(out, aten.real(angles))
        x = floating(self)
        check_storable(x.dtype, out)
        elementwise.angle(result_for((x,), x.dtype, out), x)
        return out


def _declare_unit(name: str, factor: float, node: str, doc: str) -> None:
    """Degrees and radians: the op asks its ``out=`` form, which multiplies."""
    def check(self, *_):
        if self.dtype.is_complex:
            raise RuntimeError(f"{name} is not supported for complex tensors.")

    def convert(self, out):
        return getattr(aten, name)(self, out=out)

    declare(f"{name}(Tensor self) -> Tensor", doc, meta=check, node=node, variants="method inplace",
            body=lambda self: convert(self, aten.empty_like(self, dtype=as_floating(self.dtype))),
            inplace=lambda self: convert(self, self), grad_self=lambda grad: aten.mul(grad, factor))
    declare(f"{name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", doc, meta=check,
            below="the caller has the derivative",
            body=lambda self, out: aten.mul(self, wrap_number(factor), out=out))


_declare_unit("deg2rad", math.pi / 180, "Deg2RadBackward0", "Degrees as radians.")
_declare_unit("rad2deg", 180 / math.pi, "Rad2DegBackward0", "Radians as degrees.")


# torch's second names of functions: a row around the first one's
SECOND_NAMES = {
    "absolute": "abs", "fix": "trunc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh",
    "arccosh": "acosh", "arctanh": "atanh",
}


def _declare_second_name(name: str, of: str) -> None:
    def body(self, out=None):
        return getattr(aten, of)(self) if out is None else getattr(aten, of)(self, out=out)

    declare(f"{name}(Tensor self) -> Tensor", f"The same as {of}.", body=body, variants="method inplace out",
            inplace=lambda self: getattr(aten, of + "_")(self))


for _row in SECOND_NAMES.items():
    _declare_second_name(*_row)


class Arctan2(Op):
    """The same as atan2."""

    schema = "arctan2(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"

    def body(self, other, out=None):
        return aten.atan2(self, other) if out is None else aten.atan2(self, other, out=out)

    def inplace(self, other):
        return aten.atan2_(self, other)
