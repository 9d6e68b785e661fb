"""Bessel functions of all kinds, and Airy's."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...dispatch.aten import aten
from ...opdef import rules
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes


class I0(Op):
    """The modified Bessel function of the first kind, order 0."""

    schema = "i0(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.pointwise_float
    kernel_types = "i0_vml_cpu: floating"

    def grad_self(grad, self):
        return aten.mul(grad, aten.special_i1(self))


class I0e(Op):
    """i0 scaled by exp(-|self|)."""

    schema = "special_i0e(Tensor self) -> Tensor"
    variants = "out"
    node = "SpecialI0EBackward0"
    meta = rules.pointwise_float
    kernel_types = "i0e_cpu: floating"

    def grad_self(grad, self, result):
        fall = aten.mul(aten.sgn(self), result)
        return aten.mul(grad, aten.sub(aten.special_i1e(self), fall))


_I1_BACKWARD, _I1E_BACKWARD = KernelTypes("i1_backward: wide"), KernelTypes("i1e_backward: wide")


def _away_from_zero(self, kernel_types: KernelTypes):
    """Where self is not tiny, and self with a tiny number in the place of those that are."""
    kernel_types.check(self.dtype)
    tiny = dtypes.finfo(self.dtype).eps
    is_large = aten.gt(aten.abs(self), tiny)
    return is_large, aten.where(is_large, self, aten.scalar_tensor(tiny, dtype=self.dtype))


def _half_at_zero(grad, is_large, slope):
    """The gradient by a slope that is 1/2 at zero."""
    return aten.mul(grad, aten.where(is_large, slope, aten.scalar_tensor(0.5, dtype=slope.dtype)))


class I1(Op):
    """The modified Bessel function of the first kind, order 1."""

    schema = "special_i1(Tensor self) -> Tensor"
    variants = "out"
    node = "SpecialI1Backward0"
    meta = rules.pointwise_float
    kernel_types = "i1_cpu: floating"

    def grad_self(grad, self, result):
        is_large, divisor = _away_from_zero(self, _I1_BACKWARD)
        quotient = aten.mul(result, aten.reciprocal(divisor))
        return _half_at_zero(grad, is_large, aten.sub(aten.i0(self), quotient))


class I1e(Op):
    """special_i1 scaled by exp(-|self|)."""

    schema = "special_i1e(Tensor self) -> Tensor"
    variants = "out"
    node = "SpecialI1EBackward0"
    meta = rules.pointwise_float
    kernel_types = "i1e_cpu: floating"

    def grad_self(grad, self, result):
        is_large, divisor = _away_from_zero(self, _I1E_BACKWARD)
        inverse = aten.reciprocal(divisor)
        fall = aten.mul(result, aten.add(aten.sgn(self), inverse))
        return _half_at_zero(grad, is_large, aten.sub(aten.special_i0e(self), fall))


# Functions that torch has no derivative of: name, its parameter, what it is.
WITHOUT_DERIVATIVE = [
    ("airy_ai", "x", "Airy's function Ai."),
    ("bessel_j0", "self", "The Bessel function of the first kind, order 0."),
    ("bessel_j1", "self", "The Bessel function of the first kind, order 1."),
    ("bessel_y0", "self", "The Bessel function of the second kind, order 0."),
    ("bessel_y1", "self", "The Bessel function of the second kind, order 1."),
    ("modified_bessel_i0", "self", "The modified Bessel function of the first kind, order 0."),
    ("modified_bessel_i1", "self", "The modified Bessel function of the first kind, order 1."),
    ("modified_bessel_k0", "self", "The modified Bessel function of the second kind, order 0."),
    ("modified_bessel_k1", "self", "The modified Bessel function of the second kind, order 1."),
    ("scaled_modified_bessel_k0", "x", "modified_bessel_k0 scaled by exp(x)."),
    ("scaled_modified_bessel_k1", "x", "modified_bessel_k1 scaled by exp(x)."),
    ("spherical_bessel_j0", "x", "The spherical Bessel function of the first kind, order 0."),
]

for _name, _param, _doc in WITHOUT_DERIVATIVE:
    declare(f"special_{_name}(Tensor {_param}) -> Tensor", _doc, meta=rules.pointwise_float, variants="out",
            kernel_types=f"{_name}_cpu: wide")
