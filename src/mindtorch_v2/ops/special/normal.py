"""Around the normal distribution: its distribution function, that one's inverse and logarithm, entropy, logit."""

from __future__ import annotations

import math

from ...core.dtype import FLOATING
from ...core.modes import is_grad_enabled
from ...core.promotion import as_floating
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...dispatch.structured import result_for
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ..shared.layout import dense_like, floating
from ..shared.not_differentiable import UNKNOWN, unknown


class Entr(Op):
    """-self * log(self), zero at zero and minus infinity below it."""

    schema = "special_entr(Tensor self) -> Tensor"
    variants = "out"
    meta = rules.pointwise_float
    kernel_types = "entr_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(grad, aten.neg(aten.add(aten.log(self), 1)))


class Erfcx(Op):
    """erfc scaled by exp(self**2)."""

    schema = "special_erfcx(Tensor self) -> Tensor"
    variants = "out"
    meta = rules.pointwise_float
    kernel_types = "erfcx_cpu: wide"

    def grad_self(grad, self, result):
        slope = aten.sub(aten.mul(aten.mul(self, 2.0), result), 2 / math.sqrt(math.pi))
        return aten.mul(slope, grad)


class Ndtri(Op):
    """The inverse of the normal distribution function."""

    schema = "special_ndtri(Tensor self) -> Tensor"
    variants = "out"
    meta = rules.pointwise_float
    kernel_types = "ndtri_cpu: wide"

    def grad_self(grad, result):
        inverse = aten.exp(aten.div(aten.square(result), 2))
        return aten.mul(aten.mul(grad, math.sqrt(2 * math.pi)), inverse)


class LogNdtr(Op):
    """The logarithm of the normal distribution function."""

    schema = "special_log_ndtr(Tensor self) -> Tensor"
    variants = "out"
    meta = rules.pointwise_float
    kernel_types = "log_ndtr_cpu: wide"

    def grad_self(grad, self, result):
        exponent = aten.neg(aten.add(result, aten.div(aten.pow(self, 2), 2)))
        return aten.mul(aten.div(aten.exp(exponent), math.sqrt(2 * math.pi)), grad)


class Ndtr(Op):
    """The normal distribution function."""

    schema = "special_ndtr(Tensor self) -> Tensor"
    variants = "out"

    def body(self, out=None):
        probability = aten.mul(aten.add(aten.erf(aten.mul(self, math.sqrt(0.5))), 1), 0.5)
        if out is None:
            return probability
        aten.can_cast(probability.dtype, out.dtype)
        check_storable(probability.dtype, out)
        return aten.copy_(resize_output(out, shape_of(probability)), probability)


class Logit(Op):
    """The logarithm of self / (1 - self), after self was brought into [eps, 1 - eps]."""

    schema = "logit(Tensor self, float? eps=None) -> Tensor"
    variants = "method inplace"
    tuned = "its result is allocated by a row, after a cast"

    def meta(self, eps):
        return rules.elementwise((self,), as_floating(self.dtype))

    def body(self, eps):
        x = floating(self)
        return _write_logit(dense_like(x), x, eps)

    def inplace(self, eps):
        return aten.logit(self, eps, out=self)

    def grad_self(grad, self, eps):
        if not is_grad_enabled():
            return aten.logit_backward(grad, self, eps)
        return _differentiable_slope(grad, self, eps)


def _write_logit(out, x, eps):
    if x.dtype.category != FLOATING:
        raise not_implemented("logit_cpu", x.dtype)
    run.logit(out, x, eps)
    return out


class LogitOut(Op):
    """logit into a given tensor."""

    schema = "logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    tuned = "its result may be of a wider type than it is computed in"

    def meta(self, eps, out):
        return rules.elementwise((self,), out.dtype)

    def body(self, eps, out):
        check_storable(as_floating(self.dtype), out)
        x = floating(self)
        return _write_logit(result_for((x,), x.dtype, out), x, eps)


class LogitBackward(Op):
    """Derivative of logit."""

    schema = "logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor"
    meta = rules.pointwise
    kernel_types = "logit_backward_cpu: floating"
    variants = "grad_input(grad_input)"
    node = UNKNOWN
    grads = unknown("logit_backward")
    grads_of = "grad_output self"


def _differentiable_slope(grad, self, eps):
    """The gradient of logit as ops that can be differentiated again."""
    low = 0.0 if eps is None else eps
    slope = aten.div(grad, aten.mul(self, aten.rsub(self, 1.0)))
    inside = aten.logical_and(aten.ge(self, low), aten.le(self, 1.0 - low))
    outside = aten.scalar_tensor(math.nan if eps is None else 0.0, dtype=self.dtype)
    return aten.where(inside, slope, outside)
