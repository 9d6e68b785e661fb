# cython: annotation_typing=False
"""Activations: one nonlinearity each; their derivatives stand in activation_backward.py."""

from __future__ import annotations

from ...core.dtype import BOOL, FLOATING, int64
from ...core.modes import is_grad_enabled
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.structured import result_for
from ...opdef import operator, rules
from ...opdef.form import Op
from ...opdef.scalars import converted
from ..shared.layout import IN_ORDER, dense_like

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def _gelu_check(self, approximate, *_):
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    rules.same_type_out(self, *_)


class Relu(Op):
    """max(self, 0)."""

    schema = "relu(Tensor self) -> Tensor"
    variants = "method inplace"

    def meta(self):
        if self.dtype.category == BOOL:
            raise RuntimeError("Boolean inputs not supported for relu")

    def body(self):
        if self.dtype.is_complex or not is_unobserved():  # complex numbers have no order: clamp says so
            return aten.clamp_min(self, 0)
        out = result_for((self,), self.dtype)
        _CLAMP(out, self, 0, None)
        return out

    def inplace(self):
        return aten.clamp_min_(self, 0)

    def grad_self(grad, result):
        return aten.threshold_backward(grad, result, 0)


class Gelu(Op):
    """self times the normal distribution function of self."""

    schema = 'gelu(Tensor self, *, str approximate="none") -> Tensor'
    meta = rules.Checked(operator.SAME, _gelu_check)
    kernel_types = "GeluKernelImpl: floating"
    variants = "inplace out"

    def grad_self(grad, self, approximate):
        return aten.gelu_backward(grad, self, approximate=approximate)


class Silu(Op):
    """self times its sigmoid."""

    schema = "silu(Tensor self) -> Tensor"
    meta = rules.unchanged
    kernel_types = "silu_cpu: floating complex"
    variants = "inplace out"

    def grad_self(grad, self):
        if is_grad_enabled():  # torch too writes it out where it has to be differentiated again
            s = aten.sigmoid(self)
            steep = aten.add(aten.mul(self, aten.sub_(aten.fill_(aten.empty_like(s), 1), s)), 1)
            return aten.mul(aten.mul(grad, s), steep)
        return aten.silu_backward(grad, self)


class Sigmoid(Op):
    """1 / (1 + exp(-self))."""

    schema = "sigmoid(Tensor self) -> Tensor"
    meta = rules.pointwise_float
    variants = "method inplace out"
    conjugate = False  # sigmoid_backward does it

    def grad_self(grad, result):
        return aten.sigmoid_backward(grad, result)


class Tanh(Op):
    """The hyperbolic tangent."""

    schema = "tanh(Tensor self) -> Tensor"
    meta = rules.pointwise_float
    variants = "method inplace out"
    conjugate = False  # tanh_backward does it

    def grad_self(grad, result):
        return aten.tanh_backward(grad, result)


class Hardtanh(Op):
    """self cut off at min_val and max_val."""

    schema = "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"
    variants = "inplace"

    def body(self, min_val, max_val):
        return aten.hardtanh(self, min_val, max_val, out=aten.empty_like(self))

    def inplace(self, min_val, max_val):
        return aten.hardtanh(self, min_val, max_val, out=self)

    def grad_self(grad, self, min_val, max_val):
        return aten.hardtanh_backward(grad, self, min_val, max_val)


class HardtanhOut(Op):
    """self cut off at min_val and max_val, into a given tensor."""

    schema = ("hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)")
    below = True

    def body(self, min_val, max_val, out):
        if self.dtype.category == BOOL:
            raise RuntimeError("Bool inputs not supported for hardtanh")
        if self.dtype.category < FLOATING:
            min_val, max_val = (converted(v, int64) for v in (min_val, max_val))
            if (min_val < 0 or max_val < 0) and not self.dtype.is_signed:
                raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
        return aten.clamp(self, min_val, max_val, out=out)


class Relu6(Op):
    """self cut off at 0 and 6."""

    schema = "relu6(Tensor self) -> Tensor"
    variants = "inplace"

    def body(self):
        return aten.hardtanh(self, 0, 6)

    def inplace(self):
        return aten.hardtanh_(self, 0, 6)


class Hardswish(Op):
    """self relu6(self + 3) / 6."""

    schema = "hardswish(Tensor self) -> Tensor"
    kernel_types = "hardswish_cpu: floating"
    variants = "inplace"
    tuned = "it is made as its operand lies, which is looked at once"
    meta = rules.like

    def body(self):
        out = dense_like(self, IN_ORDER)
        run.hardswish(out, self)
        return out

    def inplace(self):
        run.hardswish(self, self)
        return self

    def grad_self(grad, self):
        return aten.hardswish_backward(grad, self)


class Hardsigmoid(Op):
    """relu6(self + 3) / 6."""

    schema = "hardsigmoid(Tensor self) -> Tensor"
    meta = rules.unchanged
    kernel_types = "hardsigmoid_cpu: floating"
    variants = "inplace out"

    def grad_self(grad, self):
        return aten.hardsigmoid_backward(grad, self)


class Softplus(Op):
    """log(1 + exp(beta self)) / beta, and self itself where that is above threshold."""

    schema = "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"
    meta = rules.unchanged
    kernel_types = "softplus_cpu: floating"
    scalars = "opmath: beta threshold"
    variants = "out"

    def grad_self(grad, self, beta, threshold):
        return aten.softplus_backward(grad, self, beta, threshold)


class Elu(Op):
    """self above zero, alpha (exp(self) - 1) below."""

    schema = "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"
    meta = rules.unchanged
    kernel_types = "elu_cpu: floating"
    scalars = "opmath: alpha scale input_scale"
    variants = "out"

    def grad_self(grad, self, alpha, scale, input_scale):
        return aten.elu_backward(grad, alpha, scale, input_scale, False, self)


class EluInplace(Op):
    """elu in place, whose derivative is told from the result."""

    schema = "elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)"
    meta = rules.unchanged
    kernel_types = "elu_cpu: floating"
    scalars = "opmath: alpha scale input_scale"
    kernel = "elu"
    node = "EluBackward1"

    def grad_self(grad, result, alpha, scale, input_scale):
        return aten.elu_backward(grad, alpha, scale, input_scale, True, result)


class Selu(Op):
    """elu with the constants that keep mean 0 and variance 1."""

    schema = "selu(Tensor self) -> Tensor"
    variants = "method inplace"

    def body(self):
        return aten.elu(self, SELU_ALPHA, SELU_SCALE)

    def inplace(self):
        return aten.elu_(self, SELU_ALPHA, SELU_SCALE)


def _no_zero_alpha(self, alpha):
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")


class Celu(Op):
    """elu whose slope is continuous for every alpha."""

    schema = "celu(Tensor self, Scalar alpha=1.) -> Tensor"
    meta = _no_zero_alpha

    def body(self, alpha):
        return aten.elu(self, alpha, 1.0, 1.0 / alpha)

    def grad_self(grad, self, alpha):
        return aten.elu_backward(grad, alpha, 1, 1.0 / alpha, False, self)


class CeluInplace(Op):
    """celu in place, whose derivative is told from the result."""

    schema = "celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)"
    meta = _no_zero_alpha
    node = "CeluBackward1"

    def body(self, alpha):
        return aten.elu_(self, alpha, 1.0, 1.0 / alpha)

    def grad_self(grad, result, alpha):
        return aten.elu_backward(grad, alpha, 1, 1.0 / alpha, True, result)


class LeakyRelu(Op):
    """self above zero, negative_slope self below."""

    schema = "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"
    meta = rules.unchanged
    kernel_types = "leaky_relu_cpu: floating"
    scalars = "opmath: negative_slope"
    variants = "out"

    def grad_self(grad, self, negative_slope):
        return aten.leaky_relu_backward(grad, self, negative_slope, False)


class LeakyReluInplace(Op):
    """leaky_relu in place, whose derivative is told from the result."""

    schema = "leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)"
    meta = rules.unchanged
    kernel_types = "leaky_relu_cpu: floating"
    scalars = "opmath: negative_slope"
    kernel = "leaky_relu"
    node = "LeakyReluBackward1"

    def grad_self(grad, result, negative_slope):
        return aten.leaky_relu_backward(grad, result, negative_slope, True)


class Mish(Op):
    """self tanh(softplus(self))."""

    schema = "mish(Tensor self) -> Tensor"
    meta = rules.unchanged
    kernel_types = "mish_cpu: floating"
    variants = "inplace out"

    def grad_self(grad, self):
        if is_grad_enabled():  # torch too writes it out where it has to be differentiated again
            t = aten.tanh(aten.softplus(self))
            inner = aten.mul(aten.mul(self, aten.sigmoid(self)), aten.rsub(aten.mul(t, t), 1))
            return aten.mul(grad, aten.add(t, inner))
        return aten.mish_backward(grad, self)


_CLAMP = run.clamp
