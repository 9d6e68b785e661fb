"""Activations with a threshold, a gate or a weight of their own."""

from __future__ import annotations

import numpy as np

from ...core.dtype import FLOATING
from ...core.geometry import broadcast_shapes, wrap_dim
from ...core.tensor import new_tensor
from ...devices import cpu as kernels
from ...devices.cpu.errstate import silent
from ...devices.cpu.layout import unary
from ...dispatch.aten import aten
from ...opdef import operator, rules
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ..shared.layout import IN_ORDER, in_order, size_as, unsized

_LARGEST = {"float16": "65504", "bfloat16": "3.38953e+38", "float32": "3.40282e+38", "float64": "1.79769e+308"}


def _threshold(self, threshold, value, out=None):
    kind = self.dtype.type
    found = np.where(self <= kind(threshold), kind(value), self)
    if out is None:
        return np.copyto(out := np.empty_like(self), found) or out
    out[...] = found
    return out


class Threshold(Op):
    """self where it is above threshold, value elsewhere."""

    schema = "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"
    overlap = "expanded_out shares_inputs"
    meta = rules.pointwise
    kernel_types = "threshold_cpu: integral floating"
    scalars = "same: threshold value"
    variants = "out"
    cpu = _threshold

    def grad_self(grad, self, threshold):
        return aten.threshold_backward(grad, self, threshold)


class ThresholdInplace(Op):
    """threshold in place."""

    schema = "threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)"
    overlap = "expanded"
    meta = rules.pointwise
    kernel_types = "threshold_cpu: integral floating"
    scalars = "same: threshold value"
    node = "ThresholdBackward1"
    cpu = _threshold

    def grad_self(grad, self, threshold):
        return aten.threshold_backward(grad, self, threshold)


class Hardshrink(Op):
    """self outside [-lambd, lambd], zero inside."""

    schema = "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"
    meta = rules.unchanged
    kernel_types = "hardshrink_cpu: floating"
    scalars = "same: lambd"
    variants = "method out"

    def cpu(self, lambd, out=None):
        return np.multiply(self, (self < -lambd) | (self > lambd), out=out, dtype=self.dtype)

    def grad_self(grad, self, lambd):
        return aten.hardshrink_backward(grad, self, lambd)


def _softshrink_check(self, lambd, *_):
    if self.dtype.category != FLOATING:
        raise not_implemented("softshrink_check", self.dtype)
    if not lambd >= 0:
        largest = _LARGEST.get(self.dtype.name, "inf")
        raise RuntimeError(f"lambda must be in range [0, {largest}] for input dtype {self.dtype.short}, but found "
                           f"{lambd:g}")


class Softshrink(Op):
    """self moved lambd towards zero, and zero within lambd of it."""

    schema = "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"
    meta = rules.Checked(operator.SAME, _softshrink_check)
    variants = "out"

    def cpu(self, lambd, out=None):
        step = self.dtype.type(lambd)
        return np.subtract(self, np.clip(self, -step, step), out=out)

    def grad_self(grad, self, lambd):
        return aten.softshrink_backward(grad, self, lambd)


class LogSigmoid(Op):
    """log(sigmoid(self))."""

    schema = "log_sigmoid(Tensor self) -> Tensor"

    def body(self):
        return aten.log_sigmoid_forward(self)[0]


class LogSigmoidForward(Op):
    """log(sigmoid(self)), and exp(-|self|), from which the derivative is told."""

    schema = "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)"
    node = "LogSigmoidBackward0"
    no_grad_for = "buffer"

    def meta(self):
        if self.dtype.category != FLOATING:
            raise not_implemented("log_sigmoid_cpu", self.dtype)

    def body(self):
        output = aten.empty_like(self, memory_format=IN_ORDER)
        buffer = aten.empty_like(self, memory_format=IN_ORDER)
        x = in_order(self)._mt_array
        kernels.activation.logsigmoid(output._mt_array, x)
        np.exp(-np.abs(x), out=buffer._mt_array)
        return output, buffer

    def grad_self(grad, self, buffer):
        return aten.log_sigmoid_backward(grad, self, buffer)


def _halves(self, dim):
    half = self._mt_array.shape[dim] // 2
    return aten.narrow(self, dim, 0, half), aten.narrow(self, dim, half, half)


class Glu(Op):
    """The first half of self times the sigmoid of the second."""

    schema = "glu(Tensor self, int dim=-1) -> Tensor"

    def meta(self, dim):
        if not self._mt_array.ndim:
            raise RuntimeError("glu does not support 0-dimensional tensors")
        dim = wrap_dim(dim, self._mt_array.ndim)
        size = self._mt_array.shape[dim]
        if size % 2:
            raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {size}")

    def body(self, dim):
        first, second = _halves(self, wrap_dim(dim, self._mt_array.ndim))
        if self.dtype.category != FLOATING:
            raise not_implemented("glu_cpu", self.dtype)
        gate = unary(kernels.activation.sigmoid, second._mt_array, None)
        return new_tensor(np.multiply(first._mt_array, gate), self.dtype)

    def grad_self(grad, self, dim):
        return aten.glu_backward(grad, self, dim)


class GluBackward(Op):
    """Derivative of glu."""

    schema = "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"
    node = "GluBackwardBackward0"

    @silent
    def body(grad_output, self, dim):
        dim = wrap_dim(dim, self._mt_array.ndim)
        grad_input = aten.resize_as_(unsized(self.dtype), self)
        first, second = _halves(self, dim)
        grad_first, grad_second = _halves(grad_input, dim)
        aten.sigmoid(second, out=grad_first)
        grad, gate = grad_output._mt_array, grad_first._mt_array
        grad_second._mt_array[...] = (1 - gate) * gate * grad * first._mt_array
        aten.mul_(grad_first, grad_output)
        return grad_input

    def grads(grad, grad_output, self, dim):
        dim = wrap_dim(dim, self._mt_array.ndim)
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
        shape, ndim, count = self._mt_array.shape, weight._mt_array.ndim, weight._mt_array.size
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
        broadcast_shapes(self._mt_array.shape, weight._mt_array.shape)

    @silent
    def body(self, weight):
        out = aten.empty_like(self)
        x = self._mt_array
        np.copyto(out._mt_array, np.where(x > 0, x, x * weight._mt_array))
        return out

    def grads(grad, self, weight):
        return aten._prelu_kernel_backward(grad, self, weight)


class PreluKernelBackward(Op):
    """Derivative of prelu for self and weight; the weight's is still one for each element."""

    schema = "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)"
    node = "PreluKernelBackwardBackward0"

    @silent
    def body(grad_output, self, weight):
        grad_self, grad_weight = unsized(self.dtype), unsized(self.dtype)
        grad, x = grad_output._mt_array, self._mt_array
        size_as(grad_self, np.where(x > 0, grad, grad * weight._mt_array))
        size_as(grad_weight, np.where(x > 0, x.dtype.type(0), grad * x))
        return grad_self, grad_weight

    def grads(grads, grad_output, self, weight):
        for_self, for_weight = [aten.zeros_like(self) if g is None else g for g in grads]
        below = aten.le(self, 0)
        back = aten.where(below, aten.add(aten.mul(for_self, weight), aten.mul(for_weight, self)), for_self)
        masked = aten.mul(grad_output, below)
        return back, aten.mul(masked, for_weight), aten.mul(masked, for_self)
