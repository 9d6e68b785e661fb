# cython: annotation_typing=False
"""To whole numbers: floor, ceil, round, trunc, and the part behind the point."""

from __future__ import annotations

from ...core.dtype import FLOATING
from ...dispatch.aten import aten
from ...opdef import operator, rules
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from .unary import COMPLEX, refusing

# name, what it does
WHOLES = [
    ("floor", "The whole number below."),
    ("ceil", "The whole number above."),
    ("round", "The nearest whole number; of two, the even one."),
    ("trunc", "The whole number towards zero."),
]


def _check_wholes(name: str):
    """Booleans and complex numbers can't be rounded, torch says."""
    def check(self, *rest):
        short = self.dtype.short
        if short in COMPLEX and name != "round":
            raise NotImplementedError(f"{name} is not supported for complex inputs")
        if short == "Bool" or short in COMPLEX:
            raise NotImplementedError(f"\"{name}_vml_cpu\" not implemented for '{short}'")
        rules.same_type_out(self, *rest)
    return check


def _no_slope(grad):
    return aten.zeros_like(grad)


for _name, _doc in WHOLES:
    declare(f"{_name}(Tensor self) -> Tensor", _doc, meta=rules.Rounding(operator.SAME, _check_wholes(_name)),
            variants="method inplace out", grad_self=_no_slope)


def _check_decimals(self, decimals, *rest):
    """Integers have no digits behind the point, and torch does not look before it either."""
    if self.dtype.category != FLOATING:
        raise not_implemented("round_cpu" if decimals else "round_vml_cpu", self.dtype)
    rules.same_type_out(self, *rest)


class RoundDecimals(Op):
    """The nearest number with so many digits behind the point."""

    schema = "round.decimals(Tensor self, *, int decimals) -> Tensor"
    variants = "method inplace out"
    node = "RoundBackward1"
    meta = rules.OfTypes(operator.SAME, _check_decimals)
    kernel = "round_decimals"

    grad_self = _no_slope


class Frac(Op):
    """What is left behind the point, with the number's sign."""

    schema = "frac(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = refusing("frac_cpu", "Byte", "Char", "Short", "Int", "Long", "Bool", *COMPLEX)

    def grad_self(grad):
        return grad
