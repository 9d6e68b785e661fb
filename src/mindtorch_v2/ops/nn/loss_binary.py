"""Cross entropy of yes-or-no answers, from probabilities and from logits."""

from __future__ import annotations

import numpy as np

from ...core.device import preserve_format
from ...core.geometry import broadcast_shapes
from ...core.modes import is_grad_enabled
from ...devices import cpu as kernels
from ...devices.cpu.layout import compact
from ...dispatch.aten import aten
from ...dispatch.python_dispatch import takes_part
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ..shared.not_differentiable import constant
from .loss_pointwise import MEAN, NONE, reduced

BCE = KernelTypes("binary_cross_entropy: floating")


def _squeezed(*tensors):
    """The tensors without dimensions of size one, which is how torch's kernel sees them."""
    return [aten.squeeze(t) for t in tensors]


def _one_type(*tensors):
    for t in tensors[1:]:
        if t.dtype is not tensors[0].dtype:
            raise RuntimeError(f"Found dtype {t.dtype.short} but expected {tensors[0].dtype.short}")


class BinaryCrossEntropy(Op):
    """Cross entropy of the probabilities self against target."""

    schema = "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"

    def meta(self, target, weight, reduction):
        constant("binary_cross_entropy", "weight", weight)

    def body(self, target, weight, reduction):
        loss = aten.empty_like(self)
        into, x, y = _squeezed(loss, self, target)
        _one_type(x, y)
        BCE.check(self.dtype)
        shape = broadcast_shapes(x._mt_array.shape, y._mt_array.shape)
        if not ((y._mt_array >= 0) & (y._mt_array <= 1)).all():
            raise RuntimeError("all elements of target should be between 0 and 1")
        made = np.empty(shape, self.dtype.numpy)
        kernels.loss.bce(made, *[compact(np.broadcast_to(t._mt_array, shape)) for t in (x, y)], None)
        into._mt_array[...] = made
        if weight is not None:
            aten.mul_(loss, weight)
        if reduction == NONE:
            return loss
        total = reduced(loss, reduction)
        return aten.copy_(aten.resize_as_(loss, total), total)

    def grad_self(grad, self, target, weight, reduction):
        return aten.binary_cross_entropy_backward(grad, self, target, weight, reduction)

    def grad_target(grad, self, target, weight, reduction):
        slope = aten.sub(aten.log1p(aten.neg(self)), aten.log(self))
        return _scaled(aten.mul(grad, slope), weight, target, reduction)


def _scaled(grad, weight, like, reduction):
    if weight is not None:
        grad = aten.mul(grad, weight)
    return aten.div_(grad, like.numel()) if reduction == MEAN else grad


class BinaryCrossEntropyBackward(Op):
    """Derivative of binary_cross_entropy with respect to self."""

    schema = ("binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, "
              "int reduction=1) -> Tensor")
    node = "BinaryCrossEntropyBackwardBackward0"
    grads_of = "grad_output self target"

    def body(grad_output, self, target, weight, reduction):
        grad_input = aten.empty_like(self)
        into, *given = _squeezed(grad_input, grad_output, self, target)
        shape = into._mt_array.shape
        made = np.empty(shape, self.dtype.numpy)
        kernels.loss.bce_backward(made, *[compact(np.broadcast_to(t._mt_array, shape)) for t in given], None, 1.0)
        into._mt_array[...] = made
        if weight is not None:
            aten.mul_(grad_input, weight)
        return aten.div_(grad_input, self.numel()) if reduction == MEAN else grad_input

    def grads(grad, grad_output, self, target, weight, reduction):
        inverse = aten.reciprocal(aten.mul(self, aten.rsub(self, 1)))
        turned = aten.mul(aten.mul(aten.sub(self, target), aten.rsub(aten.mul(self, 2), 1)), inverse)
        both = aten.mul(aten.mul(grad, grad_output), inverse)
        return (aten.binary_cross_entropy_backward(grad, self, target, weight, reduction),
                _scaled(aten.mul(both, aten.rsub(turned, 1)), weight, self, reduction),
                _scaled(aten.neg(both), weight, self, reduction))


class BinaryCrossEntropyWithLogits(Op):
    """Cross entropy of sigmoid(self) against target."""

    schema = ("binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
              "Tensor? pos_weight=None, int reduction=1) -> Tensor")
    grads_of = "self target"

    def meta(self, target, weight, pos_weight, reduction):
        constant("binary_cross_entropy_with_logits", "weight", weight)
        constant("binary_cross_entropy_with_logits", "pos_weight", pos_weight)

    def body(self, target, weight, pos_weight, reduction):
        log_sigmoid = aten.log_sigmoid(self)
        if pos_weight is not None:
            log_weight = aten.add_(aten.mul(aten.sub(pos_weight, 1), target), 1)
            aten.mul_(log_sigmoid, log_weight)
        loss = aten.fill_(aten.empty_like(target, memory_format=preserve_format), 1)
        aten.sub_(aten.mul_(aten.sub_(loss, target), self), log_sigmoid)
        if weight is not None:
            aten.mul_(loss, weight)
        return reduced(loss, reduction)

    def grads(grad, self, target, weight, pos_weight, reduction, needs):
        return (_logits_grad(grad, self, target, weight, pos_weight, reduction) if needs[0] else None,
                _target_grad(grad, self, target, weight, pos_weight, reduction) if needs[1] else None)


def _in_place(self):
    """Fresh intermediates are written over, unless somebody will differentiate through them or has a say in them."""
    return (aten.sub, aten.mul) if is_grad_enabled() or takes_part(self) else (aten.sub_, aten.mul_)


def _finished(found, grad, weight, reduction, mul):
    found = mul(found, grad)
    if weight is not None:
        found = mul(found, weight)
    return aten.div_(found, found.numel()) if reduction == MEAN else found


def _logits_grad(grad, self, target, weight, pos_weight, reduction):
    sub, mul = _in_place(self)
    if pos_weight is None:
        found = sub(aten.sigmoid(self), target)
    else:
        t = aten.mul(pos_weight, target)
        found = sub(mul(sub(aten.add(t, 1), target), aten.sigmoid(self)), t)
    return _finished(found, grad, weight, reduction, mul)


def _target_grad(grad, self, target, weight, pos_weight, reduction):
    sub, mul = _in_place(self)
    if pos_weight is None:
        return _finished(aten.neg(self), grad, weight, reduction, aten.mul)
    against = aten.log_sigmoid(aten.neg(self))
    found = sub(against, mul(aten.log_sigmoid(self), pos_weight))
    return _finished(found, grad, weight, reduction, mul)
