# cython: annotation_typing=False
"""Cross entropy of yes-or-no answers, from probabilities and from logits."""

from __future__ import annotations

from ...core.device import preserve_format
from ...core.geometry import broadcast_shapes
from ...core.kinds import holds_many
from ...core.modes import is_grad_enabled
from ...core.tensor import numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.python_dispatch import takes_part
from ...opdef.form import Op
from ...opdef.rules import Spec, same_type_out
from ..shared.not_differentiable import constant
from .loss_pointwise import MEAN, NONE, at_once, reduced, written


def _squeezed(*tensors):
    """The tensors without dimensions of size one, which is how torch's kernel sees them."""
    return [aten.squeeze(t) for t in tensors]


def _check(*tensors):
    """Refuse tensors whose shapes, without dimensions of size one, or types do not agree."""
    shape: tuple[int, ...] = ()
    for t in tensors:
        shape = broadcast_shapes(shape, tuple([n for n in shape_of(t) if n != 1]))
    for t in tensors[1:]:
        same_type_out(tensors[0], t)


class BinaryCrossEntropy(Op):
    """Cross entropy of the probabilities self against target."""

    schema = "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"
    kernel_types = "binary_cross_entropy: floating"

    def meta(self, target, weight, reduction):
        constant("binary_cross_entropy", "weight", weight)
        _check(self, target)
        return Spec(shape_of(self) if reduction == NONE else (), self.dtype)

    def body(self, target, weight, reduction):
        loss = at_once(run.binary_cross_entropy, self, target) if weight is None else None
        if loss is not None:
            return reduced(loss, reduction)
        loss = aten.empty_like(self)
        into, x, y = _squeezed(loss, self, target)
        written(run.binary_cross_entropy, into, (x, y))
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
    return aten.div_(grad, numel_of(like)) if reduction == MEAN else grad


class BinaryCrossEntropyBackward(Op):
    """Derivative of binary_cross_entropy with respect to self."""

    schema = ("binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, "
              "int reduction=1) -> Tensor")
    node = "BinaryCrossEntropyBackwardBackward0"
    grads_of = "grad_output self target"
    kernel_types = "binary_cross_entropy_backward: floating"

    def meta(grad_output, self, target, weight, reduction):
        _check(grad_output, self, target)
        return Spec(shape_of(self), self.dtype)

    def body(grad_output, self, target, weight, reduction):
        grad_input = aten.empty_like(self)
        into, grad, x, y = _squeezed(grad_input, grad_output, self, target)
        written(run.binary_cross_entropy_backward, into, (grad, x, y))
        if weight is not None:
            aten.mul_(grad_input, weight)
        return aten.div_(grad_input, numel_of(self)) if reduction == MEAN else grad_input

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


def _in_place(self, grad):
    """Fresh intermediates are written over, unless somebody will differentiate through them or has a say in them."""
    if is_grad_enabled() or takes_part(self) or holds_many(grad):
        return aten.sub, aten.mul
    return aten.sub_, aten.mul_


def _finished(slopes, grad, weight, reduction, mul):
    slopes = mul(slopes, grad)
    if weight is not None:
        slopes = mul(slopes, weight)
    return aten.div_(slopes, numel_of(slopes)) if reduction == MEAN else slopes


def _logits_grad(grad, self, target, weight, pos_weight, reduction):
    sub, mul = _in_place(self, grad)
    if pos_weight is None:
        slopes = sub(aten.sigmoid(self), target)
    else:
        t = aten.mul(pos_weight, target)
        slopes = sub(mul(sub(aten.add(t, 1), target), aten.sigmoid(self)), t)
    return _finished(slopes, grad, weight, reduction, mul)


def _target_grad(grad, self, target, weight, pos_weight, reduction):
    sub, mul = _in_place(self, grad)
    if pos_weight is None:
        return _finished(aten.neg(self), grad, weight, reduction, aten.mul)
    against = aten.log_sigmoid(aten.neg(self))
    slopes = sub(against, mul(aten.log_sigmoid(self), pos_weight))
    return _finished(slopes, grad, weight, reduction, mul)
