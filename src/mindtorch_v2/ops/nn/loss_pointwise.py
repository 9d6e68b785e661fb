"""Losses of two tensors compared element by element."""

from __future__ import annotations

import numpy as np

from ...core.dtype import COMPLEX, FLOATING
from ...core.geometry import broadcast_shapes
from ...core.promotion import result_type
from ...core.tensor import blank
from ...devices import cpu as kernels
from ...devices.cpu.layout import compact
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ..shared.layout import IN_ORDER, dense_like, in_one_type

NONE, MEAN, SUM = 0, 1, 2


def reduced(losses, reduction):
    """A tensor of losses as it is, as its mean, or as its sum."""
    if reduction == MEAN:
        return aten.mean(losses)
    return aten.sum(losses) if reduction == SUM else losses


def _spread(shape, dtype, *tensors):
    """Arrays of one shape and type, as the kernels want them."""
    arrays = [t._mt_array if t.dtype is dtype else t._mt_array.astype(dtype.numpy) for t in tensors]
    return [compact(a if a.shape == shape else np.broadcast_to(a, shape)) for a in arrays]


def _check(kernel, self, target):
    broadcast_shapes(self._mt_array.shape, target._mt_array.shape)
    _check_common(kernel, result_type(self, target))


def _check_common(kernel, common):
    if common.category != FLOATING:
        raise not_implemented(kernel, common)


def _loss(kernel, self, target, reduction, *params):
    """What mse_loss and smooth_l1_loss do: losses into the result, or into a buffer that is reduced into it."""
    self, target = in_one_type(self, target)
    shape = broadcast_shapes(self._mt_array.shape, target._mt_array.shape)
    out = blank(shape, self.dtype)
    if reduction == NONE:
        kernel(out._mt_array, *_spread(shape, self.dtype, self, target), *params)
        return out
    aten.resize_(out, ())
    if self._mt_array.shape != target._mt_array.shape:
        losses = aten.empty(shape, dtype=self.dtype)
    else:
        losses = dense_like(self, IN_ORDER)
    made = losses._mt_array if losses.is_contiguous() else np.empty(shape, self.dtype.numpy)
    kernel(made, *_spread(shape, self.dtype, self, target), *params)
    if made is not losses._mt_array:
        losses._mt_array[...] = made
    return aten.mean(losses, (), False, out=out) if reduction == MEAN else aten.sum(losses, (), False, out=out)


def _loss_backward(kernel, grad_output, self, target, reduction, grad_input, *params):
    """The slopes, worked out in the common type and written in the type of ``grad_input``."""
    shape = broadcast_shapes(self._mt_array.shape, target._mt_array.shape)
    common = result_type(grad_output, self, target)
    check_storable(common, grad_input)
    _check_common(BACKWARD_KERNELS[kernel], common)
    if grad_input._mt_array.shape != shape:
        resize_output(grad_input, shape)
    norm = 1 / self._mt_array.size if reduction == MEAN and self._mt_array.size else 1.0
    slopes = grad_input._mt_array
    if common is not grad_input.dtype or not grad_input.is_contiguous():
        slopes = np.empty(shape, common.numpy)
    kernel(slopes, *_spread(shape, common, grad_output, self, target), norm, *params)
    if slopes is not grad_input._mt_array:
        np.copyto(grad_input._mt_array, slopes, casting="unsafe")
    return grad_input


# The names by which torch's derivatives complain about a type.
BACKWARD_KERNELS = {kernels.loss.mse_backward: "mse_backward_cpu_out",
                    kernels.loss.smooth_l1_backward: "smooth_l1_backward_cpu_out",
                    kernels.loss.huber_backward: "huber_backward_cpu_out"}


class MseLoss(Op):
    """The squared difference."""

    schema = "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"

    def meta(self, target, reduction):
        _check("mse_cpu", self, target)

    def body(self, target, reduction):
        return _loss(kernels.loss.mse, self, target, reduction)

    def grad_self(grad, self, target, reduction):
        return aten.mse_loss_backward(grad, self, target, reduction)

    def grad_target(grad, self, target, reduction):
        return aten.mse_loss_backward(grad, target, self, reduction)


class MseLossBackward(Op):
    """Derivative of mse_loss with respect to self."""

    schema = "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"
    node = "MseLossBackwardBackward0"

    def body(grad_output, self, target, reduction):
        grad_input = aten.zeros_like(self, memory_format=IN_ORDER)
        return aten.mse_loss_backward(grad_output, self, target, reduction, grad_input=grad_input)

    def grads(grad, grad_output, self, target, reduction):
        bend = aten.mul(aten.mul(grad, grad_output), 2 / self.numel() if reduction == MEAN else 2)
        return aten.mse_loss_backward(grad, self, target, reduction), bend, aten.neg(bend)


class MseLossBackwardInto(Op):
    """Derivative of mse_loss, into a given tensor."""

    schema = ("mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, "
              "Tensor(a!) grad_input) -> Tensor(a!)")
    below = True

    def body(grad_output, self, target, reduction, grad_input):
        return _loss_backward(kernels.loss.mse_backward, grad_output, self, target, reduction, grad_input)


class SmoothL1Loss(Op):
    """Squared difference within beta, absolute difference outside."""

    schema = "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"
    node = "SmoothL1LossBackward0"

    def meta(self, target, reduction, beta):
        if beta < 0:
            raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
        _check("smooth_l1_cpu", self, target)

    def body(self, target, reduction, beta):
        return _loss(kernels.loss.smooth_l1, self, target, reduction, beta)

    def grad_self(grad, self, target, reduction, beta):
        return aten.smooth_l1_loss_backward(grad, self, target, reduction, beta)

    def grad_target(grad, self, target, reduction, beta):
        return aten.smooth_l1_loss_backward(grad, target, self, reduction, beta)


class SmoothL1LossBackward(Op):
    """Derivative of smooth_l1_loss with respect to self."""

    schema = ("smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) "
              "-> Tensor")
    node = "SmoothL1LossBackwardBackward0"

    def body(grad_output, self, target, reduction, beta):
        grad_input = aten.zeros_like(self, memory_format=IN_ORDER)
        return aten.smooth_l1_loss_backward(grad_output, self, target, reduction, beta, grad_input=grad_input)

    def grads(grad, grad_output, self, target, reduction, beta):
        bend = _inside(grad, grad_output, self, target, reduction, beta, 1 / beta if beta else 0.0)
        return aten.smooth_l1_loss_backward(grad, self, target, reduction, beta), bend, aten.neg(bend)


def _inside(grad, grad_output, self, target, reduction, width, bend):
    """A second derivative that is constant within a width and zero outside."""
    near = aten.lt(aten.abs(aten.sub(self, target)), width)
    return aten.mul(aten.mul(aten.mul(grad, grad_output), near), bend / self.numel() if reduction == MEAN else bend)


class SmoothL1LossBackwardInto(Op):
    """Derivative of smooth_l1_loss, into a given tensor."""

    schema = ("smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, "
              "float beta, *, Tensor(a!) grad_input) -> Tensor(a!)")
    below = True

    def body(grad_output, self, target, reduction, beta, grad_input):
        return _loss_backward(kernels.loss.smooth_l1_backward, grad_output, self, target, reduction, grad_input, beta)


class HuberLoss(Op):
    """Half the squared difference within delta, delta times the absolute difference outside."""

    schema = "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"

    def meta(self, target, reduction, delta):
        if not delta > 0:
            raise RuntimeError("huber_loss does not support non-positive values for delta.")
        check_storable(result_type(self, target), self)
        _check("huber_cpu", self, target)

    def body(self, target, reduction, delta):
        losses = aten.empty_like(self)
        shape, common = losses._mt_array.shape, result_type(self, target)
        made = np.empty(shape, common.numpy)
        kernels.loss.huber(made, *_spread(shape, common, self, target), delta)
        np.copyto(losses._mt_array, made, casting="unsafe")
        return reduced(losses, reduction)

    def grad_self(grad, self, target, reduction, delta):
        return aten.huber_loss_backward(grad, self, target, reduction, delta)

    def grad_target(grad, self, target, reduction, delta):
        return aten.huber_loss_backward(grad, target, self, reduction, delta)


class HuberLossBackward(Op):
    """Derivative of huber_loss with respect to self."""

    schema = "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor"
    node = "HuberLossBackwardBackward0"

    def body(grad_output, self, target, reduction, delta):
        grad_input = aten.zeros_like(self, memory_format=IN_ORDER)
        return aten.huber_loss_backward(grad_output, self, target, reduction, delta, grad_input=grad_input)

    def grads(grad, grad_output, self, target, reduction, delta):
        bend = _inside(grad, grad_output, self, target, reduction, delta, 1.0)
        return aten.huber_loss_backward(grad, self, target, reduction, delta), bend, aten.neg(bend)


class HuberLossBackwardInto(Op):
    """Derivative of huber_loss, into a given tensor."""

    schema = ("huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta, *, "
              "Tensor(a!) grad_input) -> Tensor(a!)")
    below = True

    def body(grad_output, self, target, reduction, delta, grad_input):
        for given in (grad_output, target):
            rules.same_type_out(self, given)
        return _loss_backward(kernels.loss.huber_backward, grad_output, self, target, reduction, grad_input, delta)


class L1Loss(Op):
    """The absolute difference."""

    schema = "l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"

    def body(self, target, reduction):
        return reduced(aten.abs(aten.sub(self, target)), reduction)


class KlDiv(Op):
    """Kullback and Leibler's divergence of log-probabilities from a target."""

    schema = "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"

    def body(self, target, reduction, log_target):
        kinds = [t.dtype.category for t in (self, target)]
        if COMPLEX in kinds:
            raise RuntimeError("kl_div: Complex inputs not supported.")
        if min(kinds) < FLOATING:
            raise RuntimeError("kl_div: Integral inputs not supported.")
        if log_target:
            difference = aten.sub(target, self)
            losses = aten.mul(aten.exp(target), difference)
        else:
            crossed = aten.mul(target, self)
            losses = aten.sub(aten.xlogy(target, target), crossed)
        return reduced(losses, reduction)
