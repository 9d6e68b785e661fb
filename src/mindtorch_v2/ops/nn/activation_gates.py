# cython: annotation_typing=False
"""Activations with a threshold, a gate or a weight of their own."""

from __future__ import annotations

from ...core.dtype import FLOATING, finfo
from ...core.geometry import broadcast_shapes, wrap_dim
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...dispatch.out_argument import resize_output
from ...opdef import operator, rules
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import IN_ORDER, elementwise, in_order, sized_as, unsized


class Threshold(Op):
    """self where it is above threshold, value elsewhere."""

    schema = "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"
    overlap = "expanded_out shares_inputs"
    meta = rules.pointwise
    kernel_types = "threshold_cpu: integral floating"
    scalars = "same: threshold value"
    variants = "out"

    def grad_self(grad, self, threshold):
        return aten.threshold_backward(grad, self, threshold)


class ThresholdInplace(Op):
    """threshold in place."""

    schema = "threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)"
    overlap = "expanded"
    meta = rules.pointwise
    kernel_types = "threshold_cpu: integral floating"
    scalars = "same: threshold value"
    kernel = "threshold"
    node = "ThresholdBackward1"

    def grad_self(grad, self, threshold):
        return aten.threshold_backward(grad, self, threshold)


class Hardshrink(Op):
    """self outside [-lambd, lambd], zero inside."""

    schema = "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"
    meta = rules.unchanged
    kernel_types = "hardshrink_cpu: floating"
    scalars = "rounded: lambd"
    variants = "method out"

    def grad_self(grad, self, lambd):
        return aten.hardshrink_backward(grad, self, lambd)


def _softshrink_check(self, lambd, *_):
    if self.dtype.category != FLOATING:
        raise not_implemented("softshrink_check", self.dtype)
    if not lambd >= 0:
        raise RuntimeError(f"lambda must be in range [0, {finfo(self.dtype).max:g}] for input dtype "
                           f"{self.dtype.short}, but found {lambd:g}")


class Softshrink(Op):
    """self moved lambd towards zero, and zero within lambd of it."""

    schema = "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"
    meta = rules.Checked(operator.SAME, _softshrink_check)
    variants = "out"

    def grad_self(grad, self, lambd):
        return aten.softshrink_backward(grad, self, lambd)


class LogSigmoid(Op):
    """log(sigmoid(self))."""

    schema = "log_sigmoid(Tensor self) -> Tensor"
    variants = "out"
    overlap = "shares_inputs"

    def body(self):
        return aten.log_sigmoid_forward(self)[0]

    def out(self, out):
        return aten.log_sigmoid_forward(self, output=out, buffer=unsized(self.dtype))[0]


class LogSigmoidForward(Op):
    """log(sigmoid(self)), and exp(-|self|), from which the derivative is told."""

    schema = "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)"
    node = "LogSigmoidBackward0"
    no_grad_for = "buffer"
    kernel_types = "log_sigmoid_cpu: floating"

    def meta(self):
        spec = rules.like(self)
        return spec, spec

    def body(self):
        output = aten.empty_like(self, memory_format=IN_ORDER)
        buffer = aten.empty_like(self, memory_format=IN_ORDER)
        run.log_sigmoid_forward(output, buffer, in_order(self))
        return output, buffer

    def grad_self(grad, self, buffer):
        return aten.log_sigmoid_backward(grad, self, buffer)


class LogSigmoidForwardOut(Op):
    """The same into given tensors."""

    schema = ("log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) "
              "-> (Tensor(a!), Tensor(b!))")
    overlap = "shares_inputs"
    kernel_types = "log_sigmoid_cpu: floating"
    below = "writes into tensors"

    def meta(self, output, buffer):
        return rules.like(self), rules.like(self)

    def body(self, output, buffer):
        aten.resize_as_(output, self)
        aten.resize_as_(buffer, self)
        if output.dtype is not self.dtype:
            raise RuntimeError(f"expected scalar type {self.dtype.short} but found {output.dtype.short}")
        straight = in_order(self)
        result = output if is_in_order(output) else aten.empty_like(output, memory_format=IN_ORDER)
        run.log_sigmoid_forward(result, buffer, straight)
        return output if result is output else aten.copy_(output, result), buffer


def _halves(self, dim):
    half = shape_of(self)[dim] // 2
    return aten.narrow(self, dim, 0, half), aten.narrow(self, dim, half, half)


class Glu(Op):
    """The first half of self times the sigmoid of the second."""

    schema = "glu(Tensor self, int dim=-1) -> Tensor"
    kernel_types = "glu_cpu: floating"

    def meta(self, dim):
        if not ndim_of(self):
            raise RuntimeError("glu does not support 0-dimensional tensors")
        shape, dim = shape_of(self), wrap_dim(dim, ndim_of(self))
        if shape[dim] % 2:
            raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {shape[dim]}")
        return Spec((*shape[:dim], shape[dim] // 2, *shape[dim + 1:]), self.dtype)

    def body(self, dim):
        first, second = _halves(self, wrap_dim(dim, ndim_of(self)))
        out = allocate(elementwise(first, second))
        run.glu(out, first, second)
        return out

    def grad_self(grad, self, dim):
        return aten.glu_backward(grad, self, dim)


class GluBackward(Op):
    """Derivative of glu."""

    schema = "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"
    node = "GluBackwardBackward0"

    def meta(grad_output, self, dim):
        wrap_dim(dim, ndim_of(self))
        return rules.like(self)

    def body(grad_output, self, dim):
        dim = wrap_dim(dim, ndim_of(self))
        grad_input = aten.resize_as_(unsized(self.dtype), self)
        first, second = _halves(self, dim)
        grad_first, grad_second = _halves(grad_input, dim)
        gate = aten.sigmoid(second, out=grad_first)
        run.glu_gate_backward(grad_second, grad_output, first, gate)
        aten.mul_(grad_first, grad_output)
        return grad_input

    def grads(grad, grad_output, self, dim):
        dim = wrap_dim(dim, ndim_of(self))
        (first, second), (one, two) = _halves(self, dim), _halves(grad, dim)
        gate = aten.sigmoid(second)
        steep = aten.mul(gate, aten.rsub(gate, 1))
        bend = aten.mul(steep, aten.rsub(aten.mul(gate, 2), 1))
        to_second = aten.add(aten.mul(one, steep), aten.mul(aten.mul(two, first), bend))
        return (aten.add(aten.mul(one, gate), aten.mul(aten.mul(two, first), steep)),
                aten.mul(aten.cat((aten.mul(two, steep), to_second), dim), aten.cat((grad_output, grad_output), dim)))


class Prelu(Op):
    """self above zero, weight self below; one weight, or one for each channel."""

    schema = "prelu(Tensor self, Tensor weight) -> Tensor"
    variants = "method"

    def body(self, weight):
        if self.dtype is not weight.dtype:
            raise RuntimeError(f"prelu: Type promoting not supported. Got {self.dtype.short} and {weight.dtype.short}")
        shape, ndim, count = shape_of(self), ndim_of(weight), numel_of(weight)
        if ndim > 1:
            raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {ndim}")
        if count != 1:
            if not shape:
                raise RuntimeError("Not allow zero-dim input tensor.")
            channels = shape[1] if len(shape) > 1 else 1
            if channels != count:
                raise RuntimeError("Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                                   f"{count} and channel size = {channels}.")
        if len(shape) != ndim or ndim != 1:
            wanted = [1] * len(shape)
            if len(shape) > 1:
                wanted[1] = count
            weight = aten.reshape(weight, tuple(wanted))
        return aten._prelu_kernel(self, weight)


class PreluKernel(Op):
    """prelu once the weight has self's dimensions."""

    schema = "_prelu_kernel(Tensor self, Tensor weight) -> Tensor"
    node = "PreluKernelBackward0"
    kernel_types = "prelu_cpu: floating"

    def meta(self, weight):
        rules.same_type_out(self, weight)
        return Spec(broadcast_shapes(shape_of(self), shape_of(weight)), self.dtype)

    def body(self, weight):
        out = aten.empty_like(self)
        if numel_of(weight) > 1:
            resize_output(out, broadcast_shapes(shape_of(self), shape_of(weight)))
        run.prelu(out, self, weight)
        return out

    def grads(grad, self, weight):
        return aten._prelu_kernel_backward(grad, self, weight)


class PreluKernelBackward(Op):
    """Derivative of prelu for self and weight; the weight's is still one for each element."""

    schema = "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)"
    node = "PreluKernelBackwardBackward0"
    kernel_types = "prelu_backward_cpu: floating"

    def meta(grad_output, self, weight):
        for other in (weight, grad_output):
            rules.same_type_out(self, other)
        result = rules.pointwise(self, weight, grad_output)
        return result, result

    def body(grad_output, self, weight):
        grad_self, grad_weight = unsized(self.dtype), unsized(self.dtype)
        result = elementwise(self, weight, grad_output)
        sized_as(grad_self, result)
        sized_as(grad_weight, result)
        run.prelu_backward(grad_self, grad_weight, grad_output, self, weight)
        return grad_self, grad_weight

    def grads(grads, grad_output, self, weight):
        for_self, for_weight = [aten.zeros_like(self) if g is None else g for g in grads]
        below = aten.le(self, 0)
        back = aten.where(below, aten.add(aten.mul(for_self, weight), aten.mul(for_weight, self)), for_self)
        masked = aten.mul(grad_output, below)
        return back, aten.mul(masked, for_weight), aten.mul(masked, for_self)
