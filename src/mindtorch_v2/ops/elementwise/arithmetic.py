# cython: annotation_typing=False
"""Sums, differences, products and quotients, with tensors and with numbers."""

from __future__ import annotations

from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...opdef import rules, table
from ...opdef.form import Op

EXACT = "torch's loop over halves reads the number where it was given"


class Add(Op):
    """self + alpha * other."""

    schema = "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    scalars = "exact: alpha"
    meta = rules.pointwise
    numbers = "self other"
    variants = "method inplace out"

    def grad_self(grad):
        return grad

    def grad_other(grad, alpha):
        return grad if alpha == 1 else aten.mul(grad, alpha)


class AddScalar(Op):
    """self + alpha * a number, as ops call it among themselves."""

    schema = "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"
    internal = "a number from Python is a tensor"
    node = "AddBackward1"
    variants = "inplace"

    def body(self, other, alpha):
        return dispatcher.call(Add.op, (self, wrap_number(other), alpha))

    def inplace(self, other, alpha):
        return dispatcher.call(_ADD_IN_PLACE, (self, wrap_number(other), alpha))

    def grad_self(grad):
        return grad


class Sub(Op):
    """self - alpha * other."""

    schema = "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    scalars = "exact: alpha"
    meta = rules.subtraction
    numbers = "self other"
    variants = "method inplace out"

    def grad_self(grad):
        return grad

    def grad_other(grad, alpha):
        return aten.neg(grad) if alpha == 1 else aten.mul(aten.neg(grad), alpha)


class SubScalar(Op):
    """self - alpha * a number, as ops call it among themselves."""

    schema = "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"
    internal = "a number from Python is a tensor"
    node = "SubBackward1"
    variants = "inplace"

    def body(self, other, alpha):
        return dispatcher.call(Sub.op, (self, wrap_number(other), alpha))

    def inplace(self, other, alpha):
        return dispatcher.call(_SUB_IN_PLACE, (self, wrap_number(other), alpha))

    def grad_self(grad):
        return grad


class Rsub(Op):
    """other - alpha * self."""

    schema = "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    meta = rules.subtraction

    def body(self, other, alpha):
        return dispatcher.call(Sub.op, (other, self, alpha))

    def grad_self(grad, alpha):
        return aten.neg(grad) if alpha == 1 else aten.neg(aten.mul(grad, alpha))

    def grad_other(grad):
        return grad


class RsubScalar(Op):
    """a number - alpha * self: what ``1 - x`` runs."""

    schema = "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"
    node = "RsubBackward1"

    def body(self, other, alpha):
        return dispatcher.call(Sub.op, (wrap_number(other), self, alpha))

    def grad_self(grad, alpha):
        return aten.neg(grad) if alpha == 1 else aten.neg(aten.mul(grad, alpha))


class Mul(Op):
    """self * other."""

    schema = "mul.Tensor(Tensor self, Tensor other) -> Tensor"
    meta = rules.pointwise
    numbers = "self other"
    variants = "method inplace out"
    exact_number = EXACT

    def grad_self(grad, other):
        return aten.mul(grad, other)

    def grad_other(grad, self):
        return aten.mul(grad, self)


class MulScalar(Op):
    """self * a number, as ops call it among themselves."""

    schema = "mul.Scalar(Tensor self, Scalar other) -> Tensor"
    internal = "a number from Python is a tensor"
    node = "MulBackward1"
    variants = "inplace"

    def body(self, other):
        return dispatcher.call(Mul.op, (self, wrap_number(other)))

    def inplace(self, other):
        return aten.mul(wrap_number(other), self, out=self)  # the number first, and out=, as torch's rows show

    def grad_self(grad, other):
        return aten.mul(grad, other)


class Div(Op):
    """self / other, in floating point."""

    schema = "div.Tensor(Tensor self, Tensor other) -> Tensor"
    meta = rules.pointwise_float
    numbers = "self other"
    variants = "method inplace out"
    exact_number = EXACT

    def grad_self(grad, other):
        return aten.div(grad, other)

    def grad_other(grad, self, other):
        twice = aten.div(aten.div(self, other), other)
        return aten.mul(aten.neg(grad), twice)


class DivScalar(Op):
    """self / a number, as ops call it among themselves."""

    schema = "div.Scalar(Tensor self, Scalar other) -> Tensor"
    internal = "a number from Python is a tensor"
    node = "DivBackward1"
    variants = "inplace"

    def body(self, other):
        return dispatcher.call(Div.op, (self, wrap_number(other)))

    def inplace(self, other):
        return dispatcher.call(_DIV_IN_PLACE, (self, wrap_number(other)))

    def grad_self(grad, other):
        return aten.div(grad, other)


class Neg(Op):
    """-self."""

    schema = "neg(Tensor self) -> Tensor"
    meta = rules.negation
    variants = "method inplace out"

    def grad_self(grad):
        return aten.neg(grad)


# What is called above, looked up once.
_ADD_IN_PLACE, _SUB_IN_PLACE, _DIV_IN_PLACE = (table.find(name, "Tensor") for name in ("add_", "sub_", "div_"))
