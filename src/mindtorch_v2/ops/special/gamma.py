"""The gamma function's logarithm and its derivatives, incomplete gamma functions, Hurwitz' zeta function."""

from __future__ import annotations

import math

from ...core.promotion import as_floating
from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef import operator, rules
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from ..shared.not_differentiable import unknown_derivative
from .with_numbers import declare_with_numbers


class Lgamma(Op):
    """The logarithm of the gamma function's magnitude."""

    schema = "lgamma(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "lgamma_vml_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(grad, aten.digamma(self))


class Digamma(Op):
    """The derivative of lgamma."""

    schema = "digamma(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "digamma: floating"

    def grad_self(grad, self):
        return aten.mul(grad, aten.polygamma(1, self))


DERIVATIVES = ("digamma", "trigamma")  # torch's kernels of the first orders; "polygamma" is for all others


def _has_order(n, self, *_) -> None:
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if self.dtype.is_complex:
        raise not_implemented(DERIVATIVES[n] if n < len(DERIVATIVES) else "polygamma", self.dtype)


class Polygamma(Op):
    """The derivative of digamma of an order."""

    schema = "polygamma(int n, Tensor self) -> Tensor"
    variants = "out"
    meta = rules.Checked(operator.FLOAT, _has_order)

    def grad_self(grad, n, self):
        return aten.mul(grad, aten.polygamma(n + 1, self))


class PolygammaInPlace(Op):
    """polygamma in place."""

    schema = "polygamma_(Tensor(a!) self, int n) -> Tensor(a!)"
    variants = "method"
    node = "PolygammaBackward1"

    def body(self, n):
        return aten.polygamma(n, self, out=self)

    def grad_self(grad, self, n):
        return aten.mul(grad, aten.polygamma(n + 1, self))


def _moved(self, steps):
    """self plus each of these steps, along a new last dimension."""
    return aten.add(steps, aten.unsqueeze(self, -1))


class Mvlgamma(Op):
    """The logarithm of the multivariate gamma function of dimension p."""

    schema = "mvlgamma(Tensor self, int p) -> Tensor"
    variants = "method inplace"

    def meta(self, p, *_):
        if p < 1:
            raise RuntimeError("p has to be greater than or equal to 1")

    def body(self, p):
        steps = aten.empty((0,), dtype=as_floating(self.dtype))
        aten.arange(-p * 0.5 + 0.5, 0.5, 0.5, out=steps)
        sums = aten.sum(aten.lgamma_(_moved(self, steps)), (-1,))
        return aten.add_(sums, p * (p - 1) * math.log(math.pi) / 4)

    def inplace(self, p):
        return aten.mvlgamma(self, p, out=self)

    def grad_self(grad, self, p):
        steps = aten.arange(-p * 0.5 + 0.5, 0.5, 0.5, dtype=self.dtype)
        return aten.mul(grad, aten.sum(aten.digamma_(_moved(self, steps)), (-1,)))


class MvlgammaOut(Op):
    """The logarithm of the multivariate gamma function, into a given tensor."""

    schema = "mvlgamma.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    overlap = "shares_inputs"

    def body(self, p, out):
        result = aten.mvlgamma(self, p)
        if not aten.can_cast(result.dtype, out.dtype):
            raise RuntimeError(f"mvlgamma: result type {self.dtype.short} can't be cast to the desired output type "
                               f"{result.dtype.short}")
        return aten.copy_(resize_output(out, shape_of(result)), result)


def _density(self, other):
    """The slope of the regularised incomplete gamma function: other**(self - 1) * exp(-other) / gamma(self)."""
    scale = aten.lgamma(self)
    logarithm = aten.log(other)
    return aten.exp(aten.sub(aten.sub(aten.mul(aten.sub(self, 1), logarithm), other), scale))


def _incomplete(name: str, doc: str, slope) -> None:
    refuse = unknown_derivative(f"{name}: input")

    def grads(grad, self, other, needs):
        if needs[0]:
            refuse(grad)
        return None, aten.mul(grad, slope(self, other))

    declare(f"{name}(Tensor self, Tensor other) -> Tensor", doc, meta=rules.pointwise, grads=grads,
            kernel_types=f"{name}_cpu: floating", variants="method inplace out")


_incomplete("igamma", "The share of the gamma function's integral that lies below other.", _density)
_incomplete("igammac", "The share of the gamma function's integral that lies above other.",
            lambda self, other: aten.neg(_density(self, other)))


class Zeta(Op):
    """Hurwitz' zeta function: the sum of 1 / (k + other)**self over all k from 0 on."""

    schema = "special_zeta(Tensor self, Tensor other) -> Tensor"
    variants = "out"
    meta = rules.pointwise_float
    kernel_types = "zeta_cpu: wide"

    def grads(grad, self, other, needs):
        if needs[0]:
            unknown_derivative("zeta")(grad)
        following = aten.special_zeta(aten.add(self, 1.0), other)
        return None, aten.mul(aten.mul(grad, aten.neg(self)), following)


def _zeta_of_number(grad, self, other):
    following = aten.special_zeta(float(self) + 1.0, other)
    return aten.mul(aten.mul(grad, -self), following)


def _zeta_by_number(grad, other):
    unknown_derivative("zeta")(grad)


declare_with_numbers("special_zeta", Zeta.op.doc, ("self", "other"),
                     {"node": "SpecialZetaBackward1", "grad_other": _zeta_of_number},
                     {"node": "SpecialZetaBackward2", "grad_self": _zeta_by_number})
