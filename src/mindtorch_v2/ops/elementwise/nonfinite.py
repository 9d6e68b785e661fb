# cython: annotation_typing=False
"""Numbers that are none: nan, the infinities, and what to put in their place."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.memory_overlap import is_expanded
from ...devices.kernel import elementwise, run
from ...dispatch.aten import aten
from ...dispatch.structured import result_for
from ...dispatch.written_memory import TWICE
from ...opdef import rules
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
        return rules.elementwise((self,), dtypes.bool_)
    return check


def _declare(name: str, doc: str, of_complex: str, plain: int) -> None:
    """Below a category of types the answer is no: torch fills it in."""
    kernel = getattr(elementwise, name)

    def body(self, out=None):
        out = result_for((self,), dtypes.bool_, out)
        if self.dtype.category < plain:
            return aten.fill_(out, False)
        kernel(out, self)
        return out

    declare(f"{name}(Tensor self) -> Tensor", doc, meta=_infinity(name, of_complex), body=body, variants="method out",
            below="booleans")


_declare("isposinf", "Whether an element is +inf.", "isposinf does not support complex inputs.", dtypes.FLOATING)
_declare("isneginf", "Whether an element is -inf.", "isneginf does not support complex inputs.", dtypes.FLOATING)
_declare("signbit", "Whether an element has a minus sign, zeros included.",
         "signbit is not implemented for complex tensors.", dtypes.INTEGRAL)


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

    def meta(self, nan, posinf, neginf, out):
        if out.dtype is not self.dtype:
            raise RuntimeError(f"nan_to_num: dtype of out: {out.dtype.short} should be same as input: "
                               f"{self.dtype.short}")
        return rules.elementwise((self,), self.dtype)

    def body(self, nan, posinf, neginf, out):
        result_for((self,), self.dtype, out)
        if self.dtype.category < dtypes.FLOATING:
            return out if out is self else aten.copy_(out, self)
        if is_expanded(out):
            raise RuntimeError(TWICE)
        limits = dtypes.finfo(self.dtype)
        run.nan_to_num(out, self, 0.0 if nan is None else nan, limits.max if posinf is None else posinf,
                       limits.min if neginf is None else neginf)
        return out
