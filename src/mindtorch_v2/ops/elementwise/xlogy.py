"""``x * log(y)``, which is zero where x is, whatever y may be."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...opdef import rules
from ...opdef.form import Op
from ..shared.layout import into


class Xlogy(Op):
    """self times the logarithm of other."""

    schema = "xlogy.Tensor(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace OutTensor"
    meta = rules.pointwise_float
    kernel_types = "xlogy_cpu: floating"

    def grads(grad, self, other, needs):
        for_other = aten.div(aten.mul(grad, self), other) if needs[1] else None
        if not needs[0]:
            return None, for_other
        for_self = aten.xlogy(grad, other)
        no_logarithm = aten.le(other, 0.0)
        return aten.masked_fill(for_self, aten.bitwise_and(aten.eq(self, 0.0), no_logarithm), 0.0), for_other


class XlogyOfNumber(Op):
    """A number times the logarithm of other."""

    schema = "xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"
    variants = "OutScalar_Self"
    node = "XlogyBackward1"

    def body(self, other, out=None):
        return aten.xlogy(wrap_number(self), other, **into(out))

    def grad_other(grad, self, other):
        return aten.div(aten.mul(grad, self), other)


class XlogyByNumber(Op):
    """self times the logarithm of a number."""

    schema = "xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"
    variants = "method OutScalar_Other"
    node = "XlogyBackward2"

    def body(self, other, out=None):
        return aten.xlogy(self, wrap_number(other), **into(out))

    def grad_self(grad, self, other):
        if other > 0:
            return aten.xlogy(grad, other)
        return aten.masked_fill(aten.xlogy(grad, other), aten.eq(self, 0.0), 0.0)
