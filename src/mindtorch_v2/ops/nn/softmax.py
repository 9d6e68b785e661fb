# cython: annotation_typing=False
"""Softmax and log-softmax over one dimension."""

from __future__ import annotations

import math

from ...core.device import strided
from ...core.dtype import FLOATING
from ...core.geometry import wrap_dim
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, same_shape, shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import in_order, unsized

HOT = "its body makes what the rule says without asking it"


def _spans(shape, dim):
    """How many elements lie before, in and behind a dimension; a single number is seen as a row of one."""
    if not shape:
        return 1, 1, 1
    dim = wrap_dim(dim, len(shape))
    return math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1:])


def _check(name, self, dim, half_to_float) -> None:
    dim = wrap_dim(dim, ndim_of(self))
    if half_to_float:
        raise RuntimeError("softmax with half to float conversion is not supported on CPU")
    if self.dtype.category != FLOATING and numel_of(self):  # what has no elements, no kernel looks at
        kernel = f"{name}_lastdim_kernel_impl" if dim == max(ndim_of(self), 1) - 1 else f"{name}_kernel_impl"
        raise not_implemented(kernel, self.dtype)


def _forward(kernel, self, dim, out=None):
    shape = shape_of(self)
    if out is None:
        out = blank(shape, self.dtype)
    if numel_of(self):
        kernel(out if shape else aten.view(out, (1,)), in_order(self), *_spans(shape, dim))
    return out


def _into(kernel, out, self, dim) -> None:
    result = _forward(kernel, self, dim, out if is_in_order(out) else None)
    if result is not out:
        run.copy(out, result)


def _in_order_into(op, out, self, dim):
    """The op into a given tensor, if need be by way of one whose memory is in order."""
    if is_in_order(out):
        return op(self, dim, False, out=out)
    result = op(self, dim, False, out=unsized(out.dtype))
    return aten.copy_(aten.resize_(out, shape_of(result)), result)


def _in_type(self, dtype):
    if dtype is None or dtype is self.dtype and dispatcher.is_unobserved():
        return self
    return aten.to(self, dtype=dtype, layout=strided)


def _check_gradient(name, grad_output, output, dim) -> None:
    ndim, holds_elements = ndim_of(output), numel_of(output) > 0
    if not same_shape(grad_output, output) and (name == "softmax" or numel_of(grad_output)):
        raise RuntimeError("Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 "
                           f"'output'; but {list(shape_of(grad_output))} does not equal {list(shape_of(output))} "
                           "(while checking arguments for softmax_backward)")
    is_last = wrap_dim(dim, ndim) == max(ndim, 1) - 1
    if grad_output.dtype.category != FLOATING and holds_elements:
        raise not_implemented(f"{name}_backward_{'lastdim_' if is_last else ''}kernel_impl", grad_output.dtype)
    if grad_output.dtype is not output.dtype and holds_elements:
        raise RuntimeError(f"expected scalar type {grad_output.dtype.short} but found {output.dtype.short}")


def _backward(kernel, grad_output, output, dim):
    grad_input = blank(shape_of(grad_output), grad_output.dtype)
    if numel_of(output):
        grad_output, output = in_order(grad_output), in_order(output)
        if not ndim_of(output):
            grad_output, output = aten.view(grad_output, (1,)), aten.view(output, (1,))
        kernel(grad_input, grad_output, output, *_spans(shape_of(output), dim))
    return grad_input


class Softmax(Op):
    """exp(self) over its sum along a dimension."""

    schema = "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"
    variants = "method out"
    overlap = "shares_inputs"
    no_formula = "torch has a derivative for what it calls"

    def body(self, dim, dtype):
        return aten._softmax(_in_type(self, dtype), dim, False)

    def out(self, dim, dtype, out):
        return _in_order_into(aten._softmax, out, _in_type(self, dtype), dim)


class SoftmaxKernel(Op):
    """softmax in self's own type."""

    schema = "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"
    node = "SoftmaxBackward0"

    variants = "out"
    overlap = "expanded_out shares_inputs"

    def meta(self, dim, half_to_float):
        _check("softmax", self, dim, half_to_float)
        return Spec(shape_of(self), self.dtype)

    def body(self, dim, half_to_float):
        _check("softmax", self, dim, half_to_float)
        return _forward(run.softmax, self, dim)

    def into(out, self, dim, half_to_float):
        _into(run.softmax, out, self, dim)

    def grad_self(grad, result, dim):
        return aten._softmax_backward_data(grad, result, dim, result.dtype)


class SoftmaxBackwardData(Op):
    """Derivative of softmax, from its result."""

    schema = ("_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor")
    node = "SoftmaxBackwardDataBackward0"

    tuned = HOT

    def meta(grad_output, output, dim, input_dtype):
        _check_gradient("softmax", grad_output, output, dim)
        return Spec(shape_of(grad_output), grad_output.dtype)

    def body(grad_output, output, dim, input_dtype):
        _check_gradient("softmax", grad_output, output, dim)
        return _backward(run.softmax_backward, grad_output, output, dim)

    def grads(grad, grad_output, output, dim, input_dtype):
        of_grad = aten._softmax_backward_data(aten.to(grad, output.dtype), output, dim, input_dtype)
        of_grad = aten.to(of_grad, grad_output.dtype)
        crossed = aten.mul(grad_output, aten.sum(aten.mul(grad, output), (dim,), True))
        inner = aten.mul(aten.sum(aten.mul(output, grad_output), (dim,), True), grad)
        of_output = aten.sub(aten.sub(aten.mul(grad_output, grad), inner), crossed)
        return of_grad, aten.to(of_output, output.dtype)


class LogSoftmax(Op):
    """The logarithm of softmax."""

    schema = "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"
    variants = "method out"
    overlap = "shares_inputs"
    no_formula = "torch has a derivative for what it calls"

    def body(self, dim, dtype):
        return aten._log_softmax(_in_type(self, dtype), dim, False)

    def out(self, dim, dtype, out):
        return _in_order_into(aten._log_softmax, out, _in_type(self, dtype), dim)


class LogSoftmaxKernel(Op):
    """log_softmax in self's own type."""

    schema = "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"
    node = "LogSoftmaxBackward0"

    variants = "out"
    overlap = "expanded_out shares_inputs"

    def meta(self, dim, half_to_float):
        _check("log_softmax", self, dim, half_to_float)
        return Spec(shape_of(self), self.dtype)

    def body(self, dim, half_to_float):
        _check("log_softmax", self, dim, half_to_float)
        return _forward(run.log_softmax, self, dim)

    def into(out, self, dim, half_to_float):
        _into(run.log_softmax, out, self, dim)

    def grad_self(grad, result, dim):
        return aten._log_softmax_backward_data(grad, result, dim, result.dtype)


class LogSoftmaxBackwardData(Op):
    """Derivative of log_softmax, from its result."""

    schema = ("_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) "
              "-> Tensor")
    node = "LogSoftmaxBackwardDataBackward0"

    tuned = HOT

    def meta(grad_output, output, dim, input_dtype):
        _check_gradient("log_softmax", grad_output, output, dim)
        return Spec(shape_of(grad_output), grad_output.dtype)

    def body(grad_output, output, dim, input_dtype):
        _check_gradient("log_softmax", grad_output, output, dim)
        return _backward(run.log_softmax_backward, grad_output, output, dim)

    def grads(grad, grad_output, output, dim):
        shares = aten.to(aten.exp(output), grad_output.dtype)
        mean = aten.sum(aten.mul(grad, shares), (dim,), True)
        of_grad = aten.to(aten.sub(aten.to(grad, output.dtype), mean), grad_output.dtype)
        shares = aten.exp(output)
        total = aten.neg(aten.sum(grad_output, (dim,), True))
        return of_grad, aten.to(aten.mul(aten.mul(total, shares), grad), output.dtype)


class SafeSoftmax(Op):
    """softmax that is zero, not NaN, where everything along the dimension is minus infinity."""

    schema = "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"
    node = "SafeSoftmaxBackward0"

    def body(self, dim, dtype):
        out = aten.softmax(self, dim, dtype)
        lost = aten.all(aten.isneginf(self), dim, True)
        zero = aten.scalar_tensor(0.0, dtype=out.dtype)
        return aten.where(lost, zero, out, out=out)

    def grad_self(grad, result, dim):
        return aten._softmax_backward_data(grad, result, dim, result.dtype)
