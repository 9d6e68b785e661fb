# cython: annotation_typing=False
"""Division that leaves a rest: floor_divide, remainder, fmod, rounding modes; and torch's long names of arithmetic."""

from __future__ import annotations

from ...core import operator_slots
from ...core.tensor import Tensor
from ...devices.kernel import elementwise
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import call, run_kernel
from ...dispatch.out_argument import check_storable
from ...dispatch.structured import result_for
from ...opdef import rules, table
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ..shared.layout import empty_for, in_one_type
from ..shared.not_differentiable import UNKNOWN, unknown
from .arithmetic import Div

_DIV, _DIV_IN_PLACE, _DIV_OUT = Div.op, table.find("div_", "Tensor"), table.find("div", "out")
HOT = "shapes and types are compared where they are brought together"
REAL = "integral floating"  # no booleans, no complex numbers
DIV_FLOOR, DIV_TRUNC = f"div_floor_cpu: {REAL}", f"div_trunc_cpu: {REAL}"
# by mode: the types it is for, the kernel
ROUNDED = {"floor": (KernelTypes(DIV_FLOOR), elementwise.floor_divide),
           "trunc": (KernelTypes(DIV_TRUNC), elementwise.trunc_divide)}


class FloorDivide(Op):
    """The quotient rounded down."""

    schema = "floor_divide(Tensor self, Tensor other) -> Tensor"
    variants = "method"
    numbers = "self other"
    node = UNKNOWN
    meta = rules.Promoted(DIV_FLOOR)
    tuned = HOT
    grads = unknown("floor_divide")

    def body(self, other):
        self, other = in_one_type(self, other)
        return _rounded(self, other, "floor", empty_for(self, other))


class FloorDivideInPlace(Op):
    """The quotient rounded down, in the place of self."""

    schema = "floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)"
    variants = "method"
    numbers = "self other"
    node = UNKNOWN
    meta = rules.pointwise
    kernel = "floor_divide"
    kernel_types = DIV_FLOOR
    grads = unknown("floor_divide_")


class FloorDivideOut(Op):
    """The quotient rounded down, into a given tensor."""

    schema = "floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"
    numbers = "self other"
    meta = rules.pointwise
    kernel_types = DIV_FLOOR
    node = UNKNOWN
    grads = unknown("floor_divide")


def _mode_rule(self, other, rounding_mode, *_) -> rules.Spec:
    _check_mode(rounding_mode)
    return (rules.pointwise_float if rounding_mode is None else rules.pointwise)(self, other)


def _check_mode(rounding_mode) -> None:
    if rounding_mode not in (None, "trunc", "floor"):
        raise RuntimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
                           f"'{rounding_mode}'")


class DivMode(Op):
    """The quotient, rounded as the mode says: not at all, towards zero, or down."""

    schema = "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"
    variants = "method inplace out_mode"
    numbers = "self other"
    node = "DivBackward2"
    meta = _mode_rule
    tuned = HOT

    def body(self, other, rounding_mode, out=None):
        _check_mode(rounding_mode)
        if rounding_mode is None:
            return run_kernel(_DIV, (self, other)) if out is None else run_kernel(_DIV_OUT, (self, other, out))
        self, other = in_one_type(self, other)
        if out is not None:
            check_storable(self.dtype, out)
        return _rounded(self, other, rounding_mode, result_for((self, other), self.dtype, out))

    def inplace(self, other, rounding_mode):
        _check_mode(rounding_mode)
        if rounding_mode is None:
            return run_kernel(_DIV_IN_PLACE, (self, other))
        rules.copied(self, other)
        base, other = in_one_type(self, other)
        check_storable(base.dtype, self)
        return _rounded(base, other, rounding_mode, self)

    def grad_self(grad, other, rounding_mode):
        return aten.div(grad, other) if rounding_mode is None else aten.zeros_like(grad)

    def grad_other(grad, self, other, rounding_mode):
        if rounding_mode is not None:
            return aten.zeros_like(grad)
        twice = aten.div(aten.div(self, other), other)
        return aten.mul(aten.neg(grad), twice)


def _rounded(self, other, mode: str, out):
    """The rounded quotient of two tensors of one type, written into a third."""
    types, kernel = ROUNDED[mode]
    types.check(self.dtype)
    kernel(out, self, other)
    return out


def _declare_rest(name: str, doc: str, quotient: str) -> None:
    """remainder and fmod: with a tensor, with a number, in place, and into a given tensor."""
    def grads(grad, self, other, needs):
        of_other = None
        if needs[1]:
            whole = aten.neg(aten.div(self, other, rounding_mode=quotient))
            of_other = aten.mul(grad, whole)
        return grad if needs[0] else None, of_other

    declare(f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", doc, meta=rules.pointwise, grads=grads,
            kernel_types=f"{name}_cpu: {REAL}", variants="method inplace Tensor_out", node=f"{name.title()}Backward1")
    declare(f"{name}.Scalar(Tensor self, Scalar other) -> Tensor", doc, variants="method inplace",
            body=lambda self, other: getattr(aten, name)(self, wrap_number(other)), grad_self=lambda grad: grad,
            inplace=lambda self, other: getattr(aten, name + "_")(self, wrap_number(other)))
    declare(f"{name}.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", doc,
            body=lambda self, other, out: getattr(aten, name)(self, wrap_number(other), out=out))


_declare_rest("remainder", "The rest of a division, with the divisor's sign.", "floor")
_declare_rest("fmod", "The rest of a division, with the dividend's sign.", "trunc")


class RemainderOfScalar(Op):
    """The rest of a number's division."""

    schema = "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"
    node = UNKNOWN
    grad_other = unknown("remainder")

    def body(self, other):
        return aten.remainder(wrap_number(self), other)


# torch's long names: a row around the short one's.
LONG_NAMES = {"true_divide": "div", "divide": "div", "multiply": "mul"}


def _declare_long_name(name: str, of: str) -> None:
    def body(self, other, out=None):
        return getattr(aten, of)(self, other) if out is None else getattr(aten, of)(self, other, out=out)

    declare(f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", f"The same as {of}.", body=body,
            numbers="self other", variants="method inplace out",
            inplace=lambda self, other: getattr(aten, of + "_")(self, other))


for _row in LONG_NAMES.items():
    _declare_long_name(*_row)


class DivideMode(Op):
    """The same as div with a rounding mode."""

    schema = "divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"
    variants = "method inplace out_mode"
    numbers = "self other"

    def body(self, other, rounding_mode, out=None):
        if out is not None:
            return aten.div(self, other, rounding_mode=rounding_mode, out=out)
        return call(DivMode.op, (self, other, rounding_mode))

    def inplace(self, other, rounding_mode):
        return call(table.find("div_", "Tensor_mode"), (self, other, rounding_mode))


class Subtract(Op):
    """The same as sub."""

    schema = "subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    variants = "method inplace out"
    numbers = "self other"

    def body(self, other, alpha, out=None):
        return aten.sub(self, other, alpha=alpha) if out is None else aten.sub(self, other, alpha=alpha, out=out)

    def inplace(self, other, alpha):
        return aten.sub_(self, other, alpha=alpha)


class Negative(Op):
    """The same as neg."""

    schema = "negative(Tensor self) -> Tensor"
    variants = "method inplace out"

    def body(self, out=None):
        return aten.neg(self) if out is None else aten.neg(self, out=out)

    def inplace(self):
        return aten.neg_(self)


# What Python's signs call with the number on the left.

def rtruediv(self: Tensor, other):
    """number / tensor: torch multiplies by the reciprocal."""
    return aten.reciprocal(self) * other


def rfloordiv(self: Tensor, other):
    """number // tensor."""
    return aten.floor_divide(wrap_number(other), self)


def rmod(self: Tensor, other):
    """number % tensor."""
    return aten.remainder(other, self)


for _sign in (rtruediv, rfloordiv, rmod):
    operator_slots.bind(_sign.__name__, _sign)


class Gcd(Op):
    """The largest number that divides both."""

    schema = "gcd(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise
    kernel_types = "gcd_cpu: integral"


class Lcm(Op):
    """The smallest number that both divide."""

    schema = "lcm(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise
    kernel_types = "lcm_cpu: integral"
