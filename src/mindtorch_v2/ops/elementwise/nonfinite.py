"""Numbers that are none: nan, the infinities, and what to put in their place."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.memory_overlap import is_expanded
from ...core.tensor import new_tensor
from ...devices.cpu.layout import empty_as
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...dispatch.written_memory import TWICE
from ...opdef import operator, rules
from ...opdef.form import Op, declare

INF = float("inf")


class Isnan(Op):
    """Whether an element is not a number, that is, differs from itself."""

    schema = "isnan(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.ne(self, self)


class Isinf(Op):
    """Whether an element is infinite."""

    schema = "isinf(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if self.dtype.category < dtypes.FLOATING:
            return aten.zeros_like(self, dtype=dtypes.bool_)
        if self.dtype.is_complex:
            return aten.__ior__(aten.isinf(aten.real(self)), aten.isinf(aten.imag(self)))
        return aten.eq(aten.abs(self), INF)


class Isfinite(Op):
    """Whether an element is neither infinite nor nan."""

    schema = "isfinite(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if self.dtype.category < dtypes.FLOATING:
            return aten.ones_like(self, dtype=dtypes.bool_)
        if self.dtype.is_complex:
            return aten.__iand__(aten.isfinite(aten.real(self)), aten.isfinite(aten.imag(self)))
        bounded = aten.ne(aten.abs(self), INF)
        return aten.mul(aten.eq(self, self), bounded)


class Isreal(Op):
    """Whether an element has no imaginary part."""

    schema = "isreal(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if not self.dtype.is_complex:
            return aten.ones_like(self, dtype=dtypes.bool_)
        return aten.eq(aten.imag(self), 0)


def _infinity(name: str, of_complex: str):
    """Real numbers only, into booleans only."""
    def check(self, *rest):
        if self.dtype.is_complex:
            error = NotImplementedError if name == "signbit" else RuntimeError
            raise error(of_complex)
        if rest and rest[-1].dtype is not dtypes.bool_:
            raise RuntimeError(f"{name} does not support non-boolean outputs.")
    return check


def _declare(name: str, found, doc: str, of_complex: str, plain: int) -> None:
    """Below a category of types the answer is no: torch fills it in."""
    check = _infinity(name, of_complex)

    def body(self):
        made = new_tensor(empty_as(self._mt_array, np.bool_), dtypes.bool_)
        if self.dtype.category < plain:
            return aten.fill_(made, False)
        np.copyto(made._mt_array, found(self._mt_array))
        return made

    declare(f"{name}(Tensor self) -> Tensor", doc, meta=check, body=body, variants="method", below="booleans")
    declare(f"{name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", doc, meta=rules.Checked(operator.BOOL, check),
            cpu=found)


_declare("isposinf", lambda self: self == INF, "Whether an element is +inf.",
         "isposinf does not support complex inputs.", dtypes.FLOATING)
_declare("isneginf", lambda self: self == -INF, "Whether an element is -inf.",
         "isneginf does not support complex inputs.", dtypes.FLOATING)
_declare("signbit", lambda self: np.signbit(self) if self.dtype.kind not in "iu" else self < 0,
         "Whether an element has a minus sign, zeros included.", "signbit is not implemented for complex tensors.",
         dtypes.INTEGRAL)


class NanToNum(Op):
    """Numbers in the place of nan and the infinities; the latter become the largest there are."""

    schema = "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"
    variants = "method inplace"
    overlap = "expanded"

    def body(self, nan, posinf, neginf):
        return aten.nan_to_num(self, nan, posinf, neginf, out=aten.empty_like(self))

    def inplace(self, nan, posinf, neginf):
        return aten.nan_to_num(self, nan, posinf, neginf, out=self)

    def grad_self(grad, self):
        return aten.mul(grad, aten.isfinite(self))


class NanToNumOut(Op):
    """Numbers in the place of nan and the infinities, into a given tensor."""

    schema = ("nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, "
              "Tensor(a!) out) -> Tensor(a!)")
    below = "the caller has the derivative"
    overlap = "expanded_out"

    def body(self, nan, posinf, neginf, out):
        if out.dtype is not self.dtype:
            raise RuntimeError(f"nan_to_num: dtype of out: {out.dtype.short} should be same as input: "
                               f"{self.dtype.short}")
        if out._mt_array.shape != self._mt_array.shape:
            resize_output(out, self._mt_array.shape)
        if self.dtype.category < dtypes.FLOATING:
            return out if out is self else aten.copy_(out, self)
        if is_expanded(out):
            raise RuntimeError(TWICE)
        limits = dtypes.finfo(self.dtype)
        _replace(self._mt_array, out._mt_array, 0.0 if nan is None else nan, limits.max if posinf is None else posinf,
                 limits.min if neginf is None else neginf)
        return out


def _replace(array: np.ndarray, out: np.ndarray, nan: float, posinf: float, neginf: float) -> None:
    if array.dtype.kind == "c":
        _replace(array.real, out.real, nan, posinf, neginf)
        _replace(array.imag, out.imag, nan, posinf, neginf)
        return
    missing, above, below = np.isnan(array), array == INF, array == -INF
    np.copyto(out, array)
    for where, value in ((missing, nan), (above, posinf), (below, neginf)):
        out[where] = value
