# cython: annotation_typing=False
"""One number in, one number out: signs, exponentials, logarithms, roots, and the error function."""

from __future__ import annotations

import math

from ...core.tensor import shape_of
from ...devices.kernel import elementwise
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...dispatch.structured import result_for
from ...opdef import operator, rules
from ...opdef.form import Op


def refusing(kernel: str, *shorts: str) -> rules.OfTypes:
    """A rule for a kernel that torch does not have for these types, in its words."""
    def check(self, *rest):
        if self.dtype.short in shorts:
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{self.dtype.short}'")
        rules.same_type_out(self, *rest)
    return rules.OfTypes(operator.SAME, check)


COMPLEX = ("ComplexFloat", "ComplexDouble")


def _has_magnitude(self, *_) -> None:
    if self.dtype.short == "Bool":
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")


class Abs(Op):
    """The magnitude."""

    schema = "abs(Tensor self) -> Tensor"
    variants = "method inplace"
    meta = _has_magnitude

    def body(self):
        if self.dtype.is_complex:
            return aten.abs(self, out=aten.empty_like(self, dtype=self.dtype.to_real()))
        if dispatcher.is_unobserved():
            result = result_for((self,), self.dtype)
            elementwise.abs(result, self)
            return result
        return aten.abs(self, out=aten.empty((0,), dtype=self.dtype))

    def inplace(self):
        if self.dtype.is_complex:
            raise RuntimeError("In-place abs is not supported for complex tensors.")
        return aten.abs(self, out=self)

    def grad_self(grad, self):
        return aten.mul(grad, aten.sgn(self))


class AbsOut(Op):
    """The magnitude, into a given tensor."""

    schema = "abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    tuned = "it writes itself once more for complex numbers"

    def meta(self, out):
        return rules.elementwise((self,), out.dtype)

    def body(self, out):
        _has_magnitude(self)
        if self.dtype.is_complex and not out.dtype.is_complex:  # torch's kernel leaves magnitudes in complex numbers
            check_storable(self.dtype.to_real(), out)
            lengths = AbsOut.body(self, aten.empty((0,), dtype=self.dtype))
            resize_output(out, shape_of(self))
            return aten.copy_(out, aten.real(lengths))
        rules.same_type_out(self, out)
        result_for((self,), self.dtype, out)
        elementwise.abs(out, self)
        return out


def _real_sign(self, *rest) -> None:
    if self.dtype.short in COMPLEX:
        raise NotImplementedError("Unlike NumPy, torch.sign is not intended to support complex numbers. Please use "
                                  "torch.sgn instead.")
    rules.same_type_out(self, *rest)


class Sign(Op):
    """-1, 0 or 1."""

    schema = "sign(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.OfTypes(operator.SAME, _real_sign)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Sgn(Op):
    """-1, 0 or 1; for a complex number its direction."""

    schema = "sgn(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.unchanged
    conjugate = False  # a direction is no smooth function of a complex number; its formula says it all

    def grad_self(grad, self, result):
        if not self.dtype.is_complex:
            return aten.zeros_like(grad)
        length = aten.abs(self)
        along = aten.mul(aten.real(aten.mul(grad, aten._conj(result))), result)
        return aten.masked_fill_(aten.div(aten.sub(grad, along), length), aten.eq(length, 0), 0)


class Positive(Op):
    """The tensor itself, as the sign + asks for it."""

    schema = "positive(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self):
        if self.dtype.short == "Bool":
            raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
        return self


class Exp(Op):
    """e to the power of self."""

    schema = "exp(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        return aten.mul(grad, result)


class Exp2(Op):
    """2 to the power of self."""

    schema = "exp2(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        return aten.mul(aten.mul(grad, result), math.log(2))


class Expm1(Op):
    """e to the power of self, minus one, exact near zero."""

    schema = "expm1(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        return aten.mul(grad, aten.add(result, 1))


class Log(Op):
    """The natural logarithm."""

    schema = "log(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, self):
        return aten.div(grad, self)


class Log2(Op):
    """The logarithm to base 2."""

    schema = "log2(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, self):
        return aten.div(grad, aten.mul(self, math.log(2)))


class Log10(Op):
    """The logarithm to base 10."""

    schema = "log10(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, self):
        return aten.div(grad, aten.mul(self, math.log(10)))


class Log1p(Op):
    """The logarithm of one plus self, exact near zero."""

    schema = "log1p(Tensor self) -> Tensor"
    variants = "method inplace out"
    node = "Log1PBackward0"
    meta = rules.pointwise_float

    def grad_self(grad, self):
        return aten.div(grad, aten.add(self, 1))


class Sqrt(Op):
    """The square root."""

    schema = "sqrt(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        return aten.div(grad, aten.mul(result, 2))


class Rsqrt(Op):
    """One over the square root."""

    schema = "rsqrt(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        cube = aten.pow(result, 3)
        return aten.mul(aten.mul(grad, -0.5), cube)


class Reciprocal(Op):
    """One over self."""

    schema = "reciprocal(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float

    def grad_self(grad, result):
        square = aten.mul(result, result)
        return aten.mul(aten.neg(grad), square)


class Erf(Op):
    """The error function."""

    schema = "erf(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "erf_vml_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(aten.mul(aten.exp(aten.neg(aten.pow(self, 2))), 2 / math.sqrt(math.pi)), grad)


class Erfc(Op):
    """One minus the error function."""

    schema = "erfc(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "erfc_vml_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(aten.mul(aten.exp(aten.neg(aten.pow(self, 2))), -2 / math.sqrt(math.pi)), grad)


class Erfinv(Op):
    """The inverse of the error function."""

    schema = "erfinv(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "erfinv_vml_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(aten.mul(aten.exp(aten.pow(aten.erfinv(self), 2)), math.sqrt(math.pi) / 2), grad)
