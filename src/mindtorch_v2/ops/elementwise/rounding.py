"""To whole numbers: floor, ceil, round, trunc, and the part behind the point."""

from __future__ import annotations

import numpy as np

from ...core.dtype import FLOATING
from ...core.tensor import new_tensor
from ...devices.cpu.layout import empty_as
from ...dispatch.aten import aten
from ...opdef import operator, rules
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from .unary import COMPLEX, refusing

# name, NumPy's function (to even, as torch rounds), what it does
WHOLES = [
    ("floor", np.floor, "The whole number below."),
    ("ceil", np.ceil, "The whole number above."),
    ("round", np.rint, "The nearest whole number; of two, the even one."),
    ("trunc", np.trunc, "The whole number towards zero."),
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


def _declare(name: str, ufunc: np.ufunc, doc: str) -> None:
    """Integers are whole already: torch copies them, so the op is written on tensors, not on arrays."""
    check = _check_wholes(name)

    def body(self):
        if self.dtype.category < FLOATING:
            return aten.copy_(new_tensor(empty_as(self._mt_array), self.dtype), self)
        return new_tensor(np.asarray(ufunc(self._mt_array)), self.dtype)

    def inplace(self):
        if self.dtype.category < FLOATING:
            return aten.copy_(self, self)
        ufunc(self._mt_array, out=self._mt_array)
        return self

    declare(f"{name}(Tensor self) -> Tensor", doc, meta=check, body=body, inplace=inplace, variants="method inplace",
            grad_self=_no_slope)
    declare(f"{name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", doc, meta=rules.Checked(operator.SAME, check),
            cpu=lambda self, out=None: np.positive(self, out=out) if self.dtype.kind in "iu" else ufunc(self, out=out))


def _no_slope(grad):
    return aten.zeros_like(grad)


for _row in WHOLES:
    _declare(*_row)


MOST_DIGITS = 308  # of a power of ten in a double


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
    meta = rules.Checked(operator.SAME, _check_decimals)

    def cpu(self, decimals, out=None):
        wide = self.astype(np.float32) if self.dtype.itemsize == 2 else self  # halves are rounded once, at the end
        scale = wide.dtype.type(10.0 ** abs(decimals) if abs(decimals) <= MOST_DIGITS else np.inf)
        made = np.rint(wide / scale) * scale if decimals < 0 else np.rint(wide * scale) / scale
        if out is None:
            return np.asarray(made).astype(self.dtype, copy=False)
        np.copyto(out, made, casting="unsafe")
        return out

    grad_self = _no_slope


class Frac(Op):
    """What is left behind the point, with the number's sign."""

    schema = "frac(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = refusing("frac_cpu", "Byte", "Char", "Short", "Int", "Long", "Bool", *COMPLEX)

    def cpu(self, out=None):
        return np.subtract(self, np.trunc(self), out=out)

    def grad_self(grad):
        return grad
