# cython: annotation_typing=False
"""Derivatives of the activations, which are ops themselves: torch calls them from its backward nodes."""

from __future__ import annotations

import math

from ...core.geometry import broadcast_shapes
from ...core.promotion import result_type
from ...core.tensor import blank, is_in_order, same_shape, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...opdef import operator, rules
from ...opdef.form import Op
from ...opdef.rules import Promoted, Spec
from ..shared.layout import dense, dense_like, elementwise, in_one_type, sized_as, unsized
from ..shared.not_differentiable import UNKNOWN, constant, unknown


class ThresholdBackward(Op):
    """Derivative of threshold and relu: the gradient where self was above the threshold."""

    schema = "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor"
    meta = rules.pointwise
    kernel_types = "threshold_cpu: integral floating"
    node = "ThresholdBackwardBackward0"

    def grad_grad_output(grad, self, threshold):
        return aten.threshold_backward(grad, self, threshold)

    def grad_self(grad):
        return aten.zeros_like(grad)


class SigmoidBackward(Op):
    """Derivative of sigmoid, from its result."""

    schema = "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor"
    meta = rules.pointwise
    kernel_types = "sigmoid_backward_cpu: floating complex"
    node = "SigmoidBackwardBackward0"

    def grad_grad_output(grad, output):
        return aten.sigmoid_backward(grad, output)

    def grad_output(grad, grad_output, output):
        bend = aten.add(aten.mul(output, -2), 1)
        return aten.mul(_mirrored(aten.mul(grad, grad_output)), bend)


class TanhBackward(Op):
    """Derivative of tanh, from its result."""

    schema = "tanh_backward(Tensor grad_output, Tensor output) -> Tensor"
    meta = rules.pointwise
    kernel_types = "tanh_backward_cpu: floating complex"
    node = "TanhBackwardBackward0"

    def grad_grad_output(grad, output):
        return aten.tanh_backward(grad, output)

    def grad_output(grad, grad_output, output):
        return aten.mul(_mirrored(grad), aten.mul(aten.mul(output, -2), _mirrored(grad_output)))


def _mirrored(t):
    """The conjugate: these derivatives conjugate the output, so that what leads back to it is turned around."""
    return aten.conj(t) if t.dtype.is_complex else t


class GeluBackward(Op):
    """Derivative of gelu."""

    schema = 'gelu_backward(Tensor grad_output, Tensor self, *, str approximate="none") -> Tensor'
    meta = Promoted("GeluBackwardKernelImpl: floating")
    node = "GeluBackwardBackward0"

    def body(grad_output, self, approximate):
        grad_output, self = in_one_type(grad_output, self)
        in_order = is_in_order(self) and same_shape(grad_output, self)
        if in_order and is_in_order(grad_output):
            grad_input = blank(shape_of(self), self.dtype)
        else:
            grad_input = allocate(elementwise(grad_output, self))
            if in_order and approximate == "none":  # the exact form works on compact operands and pays for a copy
                copied = blank(shape_of(self), self.dtype)
                run.copy(copied, grad_output)
                grad_output = copied
        run.gelu_backward(grad_input, grad_output, self, approximate)
        return grad_input

    def grad_grad_output(grad, self, approximate):
        return aten.gelu_backward(grad, self, approximate=approximate)

    def grad_self(grad, grad_output, self, approximate):
        bend = _gelu_curvature(self, approximate)
        return aten.mul(aten.mul(grad, grad_output), bend)


def _gelu_curvature(x, approximate):
    """The second derivative of gelu."""
    square = aten.mul(x, x)
    if approximate == "none":  # (2 - x²) times the normal density
        density = aten.mul(aten.exp(aten.mul(square, -0.5)), 1 / math.sqrt(2 * math.pi))
        far = aten.mul(square, density)
        return aten.sub(aten.mul(density, 2), far)
    slope, cube = math.sqrt(2 / math.pi), 0.044715
    t = aten.tanh(aten.mul(aten.add(x, aten.mul(aten.mul(square, x), cube)), slope))
    steep = aten.rsub(aten.mul(t, t), 1)
    inner = aten.mul(aten.add(aten.mul(square, 3 * cube), 1), slope)  # derivative of what tanh is taken of
    bend = aten.mul(aten.add(aten.mul(inner, 2), aten.mul(square, 6 * cube * slope)), 0.5)
    return aten.mul(steep, aten.sub(bend, aten.mul(aten.mul(x, t), aten.mul(inner, inner))))


class SiluBackward(Op):
    """Derivative of silu."""

    schema = "silu_backward(Tensor grad_output, Tensor self) -> Tensor"
    meta = rules.pointwise
    kernel_types = "silu_backward_cpu: floating"
    node = UNKNOWN
    grads = unknown("silu_backward")


def _derivative(kernel, grad_output, self, *numbers):
    """What torch's older iterator does: operands in one type, a result allocated by a row."""
    grad_output, self = in_one_type(grad_output, self)
    is_plain = is_in_order(grad_output) and same_shape(grad_output, self)
    grad_input = dense_like(grad_output) if is_plain else dense(elementwise(grad_output, self))
    kernel(grad_input, grad_output, self, *numbers)
    return grad_input


class HardtanhBackward(Op):
    """Derivative of hardtanh: the gradient inside the bounds."""

    schema = "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor"
    meta = Promoted("hardshrink_backward_cpu: floating")  # the name torch complains by
    node = "HardtanhBackwardBackward0"

    def body(grad_output, self, min_val, max_val):
        return _derivative(run.hardtanh_backward, grad_output, self, min_val, max_val)

    def grad_grad_output(grad, self, min_val, max_val):
        return aten.hardtanh_backward(grad, self, min_val, max_val)

    def grad_self(grad):
        return aten.zeros_like(grad)


class HardswishBackward(Op):
    """Derivative of hardswish."""

    schema = "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor"
    meta = Promoted("hardswish_backward_cpu: floating")
    node = "HardswishBackwardBackward0"

    def body(grad_output, self):
        return _derivative(run.hardswish_backward, grad_output, self)

    def grad_grad_output(grad, self):
        return aten.hardswish_backward(grad, self)

    def grad_self(grad, grad_output, self):
        inside = aten.logical_and(aten.gt(self, -3), aten.lt(self, 3))
        return aten.mul(aten.mul(grad, grad_output), aten.div(inside, 3))


class HardsigmoidBackward(Op):
    """Derivative of hardsigmoid."""

    schema = "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor"
    meta = rules.pointwise
    kernel_types = "hardsigmoid_backward: floating"
    node = "HardsigmoidBackwardBackward0"

    def grad_grad_output(grad, self):
        return aten.hardsigmoid_backward(grad, self)

    def grad_self(grad):
        return aten.zeros_like(grad)


class SoftplusBackward(Op):
    """Derivative of softplus."""

    schema = "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor"
    meta = rules.pointwise
    kernel_types = "softplus_backward_cpu: floating"
    node = "SoftplusBackwardBackward0"

    def grad_grad_output(grad, self, beta, threshold):
        return aten.softplus_backward(grad, self, beta, threshold)

    def grad_self(grad, grad_output, self, beta, threshold):
        both, scaled = aten.mul(grad, grad_output), aten.mul(self, beta)
        curved = aten.type_as(aten.lt(scaled, threshold), grad)
        bend = aten.sigmoid_backward(both, aten.sigmoid(scaled))
        return aten.mul(aten.mul(bend, curved), beta)


def _no_negative_alpha(grad_output, alpha, scale, input_scale, is_result, self_or_result):
    if is_result and alpha < 0:
        raise RuntimeError("In-place elu backward calculation is triggered with a negative slope which is not "
                           "supported. This is caused by calling in-place forward function with a negative slope, "
                           "please call out-of-place version instead.")


class EluBackward(Op):
    """Derivative of elu, from its argument or (is_result) from its result."""

    schema = ("elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, "
              "Tensor self_or_result) -> Tensor")
    meta = rules.Checked(operator.SAME, _no_negative_alpha)
    kernel_types = "elu_backward_cpu: floating"
    node = "EluBackwardBackward0"

    def grad_grad_output(grad, alpha, scale, input_scale, is_result, self_or_result):
        return aten.elu_backward(grad, alpha, scale, input_scale, is_result, self_or_result)

    def grad_self_or_result(grad, grad_output, alpha, scale, input_scale, is_result, self_or_result):
        curved = aten.type_as(aten.lt(self_or_result, 0), grad)
        both = aten.mul(aten.mul(grad, grad_output), input_scale)
        if is_result:  # on its result the derivative is a straight line
            return aten.mul(both, curved)
        bend = aten.elu_backward(both, alpha, scale, input_scale, is_result, self_or_result)
        return aten.mul(bend, curved)


def _no_negative_slope(grad_output, self, negative_slope, self_is_result):
    if self_is_result and negative_slope < 0:
        raise RuntimeError("In-place leakyReLu backward calculation is triggered with a negative slope which is not "
                           "supported. This is caused by calling in-place forward function with a negative slope, "
                           "please call out-of-place version instead. File an issue at "
                           "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
                           "calculation with negative slope")


class LeakyReluBackward(Op):
    """Derivative of leaky_relu."""

    schema = ("leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) "
              "-> Tensor")
    meta = rules.Checked(operator.SAME, _no_negative_slope)
    kernel_types = "leaky_relu_backward_cpu: floating"
    node = "LeakyReluBackwardBackward0"

    def grad_grad_output(grad, self, negative_slope):
        return aten.leaky_relu_backward(grad, self, negative_slope, False)

    def grad_self(grad):
        return aten.zeros_like(grad)


class MishBackward(Op):
    """Derivative of mish."""

    schema = "mish_backward(Tensor grad_output, Tensor self) -> Tensor"
    meta = Promoted("mish_backward_cpu: floating")
    node = UNKNOWN
    grads = unknown("mish_backward")

    def body(grad_output, self):
        grad_input = unsized(result_type(grad_output, self))
        grad_output, self = in_one_type(grad_output, self)
        sized_as(grad_input, elementwise(grad_output, self))
        run.mish_backward(grad_input, grad_output, self)
        return grad_input


class LogSigmoidBackward(Op):
    """Derivative of log_sigmoid, from its argument and the buffer its forward left."""

    schema = "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor"
    node = "LogSigmoidBackwardBackward0"
    kernel_types = "log_sigmoid_backward_cpu: floating"

    def meta(grad_output, self, buffer):
        constant("log_sigmoid_backward", "buffer", buffer)
        for other in (buffer, grad_output):
            rules.same_type_out(self, other)
        broadcast_shapes(shape_of(self), shape_of(grad_output))
        return Spec(shape_of(grad_output), grad_output.dtype)

    def body(grad_output, self, buffer):
        grad_input = aten.empty_like(grad_output)
        run.log_sigmoid_backward(grad_input, grad_output, self)
        return grad_input

    def grad_grad_output(grad, self, buffer):
        return aten.log_sigmoid_backward(grad, self, buffer)

    def grad_self(grad, grad_output, self):
        return aten.neg(aten.sigmoid_backward(aten.mul(grad, grad_output), aten.sigmoid(self)))


class HardshrinkBackward(Op):
    """Derivative of hardshrink: the gradient outside [-lambd, lambd]."""

    schema = "hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor"
    meta = rules.pointwise
    kernel_types = "shrink_backward_cpu: floating"
    node = "HardshrinkBackwardBackward0"

    def grad_grad_out(grad, self, lambd):
        return aten.hardshrink_backward(grad, self, lambd)

    def grad_self(grad):
        return aten.zeros_like(grad)


class SoftshrinkBackward(Op):
    """Derivative of softshrink: the gradient outside [-lambd, lambd]."""

    schema = "softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor"
    meta = rules.pointwise
    kernel_types = "shrink_backward_cpu: floating"
    node = "SoftshrinkBackwardBackward0"

    def grad_grad_output(grad, self, lambd):
        return aten.softshrink_backward(grad, self, lambd)

    def grad_self(grad):
        return aten.zeros_like(grad)
