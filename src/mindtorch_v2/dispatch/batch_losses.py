"""Losses under vmap, written in other ops: functions of members, with the arguments of the op."""

from __future__ import annotations

from ..core.tensor import Tensor, ndim_of
from .aten import aten

NONE, MEAN, SUM = 0, 1, 2  # what a loss does with its elements
LEAST_LOG = -100.0  # what torch takes for the logarithm of a probability of zero
LEAST_SPREAD = 1e-12  # and for p(1 - p)


def reduced(loss: Tensor, reduction: int) -> Tensor:
    """The elements of a loss, their mean or their sum."""
    return loss if reduction == NONE else aten.mean(loss) if reduction == MEAN else aten.sum(loss)


def share(grad: Tensor, like: Tensor, reduction: int) -> Tensor:
    """The gradient of each element of a loss, from that of what became of them."""
    return aten.div(grad, like.numel()) if reduction == MEAN else grad


def mse_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    difference = aten.sub(self, target)
    return reduced(aten.mul(difference, difference), reduction)


def mse_loss_backward(grad: Tensor, self: Tensor, target: Tensor, reduction: int) -> Tensor:
    difference = aten.sub(self, target)
    return aten.mul(aten.mul(difference, 2), share(grad, difference, reduction))


def picked(self: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int):
    """The class dimension of a loss, the classes that count with it, and the weight of each element."""
    dim = 0 if ndim_of(self) == 1 else 1
    ignored = aten.eq(target, ignore_index)
    classes = aten.unsqueeze(aten.masked_fill(target, ignored, 0), dim)
    if weight is None:
        weights = aten.ones_like(target, dtype=self.dtype)
    else:
        weights = aten.index(weight, [aten.squeeze(classes, dim)])
    return dim, classes, aten.masked_fill(weights, ignored, 0)


def nll_loss_forward(self: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int):
    dim, classes, weights = picked(self, target, weight, ignore_index)
    loss = aten.neg(aten.squeeze(aten.gather(self, dim, classes), dim))
    loss = aten.mul(aten.masked_fill(loss, aten.eq(target, ignore_index), 0), weights)
    total = aten.sum(weights)
    if reduction == NONE:
        return loss, aten.zeros_like(total)
    loss = aten.sum(loss)
    return (aten.div(loss, total) if reduction == MEAN else loss), total


def nll_loss_backward(grad: Tensor, self: Tensor, target: Tensor, weight: Tensor | None, reduction: int,
                      ignore_index: int, total: Tensor) -> Tensor:
    dim, classes, weights = picked(self, target, weight, ignore_index)
    if reduction == MEAN:
        grad = aten.div(grad, total)
    values = aten.unsqueeze(aten.neg(aten.mul(weights, grad)), dim)
    return aten.scatter(aten.zeros_like(self), dim, classes, values)


def smooth_l1_loss(self: Tensor, target: Tensor, reduction: int, beta: float) -> Tensor:
    distance = aten.abs(aten.sub(self, target))
    if beta == 0:
        return reduced(distance, reduction)
    near = aten.mul(aten.mul(distance, distance), 0.5 / beta)
    return reduced(aten.where(aten.lt(distance, beta), near, aten.sub(distance, 0.5 * beta)), reduction)


def smooth_l1_loss_backward(grad: Tensor, self: Tensor, target: Tensor, reduction: int, beta: float) -> Tensor:
    difference = aten.sub(self, target)
    slope = aten.sign(difference)
    if beta:
        slope = aten.where(aten.lt(aten.abs(difference), beta), aten.div(difference, beta), slope)
    return aten.mul(slope, share(grad, difference, reduction))


def huber_loss(self: Tensor, target: Tensor, reduction: int, delta: float) -> Tensor:
    distance = aten.abs(aten.sub(self, target))
    near = aten.mul(aten.mul(distance, distance), 0.5)
    far = aten.mul(aten.sub(distance, 0.5 * delta), delta)
    return reduced(aten.where(aten.le(distance, delta), near, far), reduction)


def huber_loss_backward(grad: Tensor, self: Tensor, target: Tensor, reduction: int, delta: float) -> Tensor:
    difference = aten.sub(self, target)
    return aten.mul(aten.clamp(difference, -delta, delta), share(grad, difference, reduction))


def binary_cross_entropy(self: Tensor, target: Tensor, weight: Tensor | None, reduction: int) -> Tensor:
    hits = aten.mul(target, aten.clamp(aten.log(self), LEAST_LOG))
    misses = aten.mul(aten.rsub(target, 1), aten.clamp(aten.log1p(aten.neg(self)), LEAST_LOG))
    loss = aten.neg(aten.add(hits, misses))
    return reduced(loss if weight is None else aten.mul(loss, weight), reduction)


def binary_cross_entropy_backward(grad: Tensor, self: Tensor, target: Tensor, weight: Tensor | None,
                                  reduction: int) -> Tensor:
    spread = aten.clamp(aten.mul(self, aten.rsub(self, 1)), LEAST_SPREAD)
    slope = aten.div(aten.sub(self, target), spread)
    slope = slope if weight is None else aten.mul(slope, weight)
    return aten.mul(slope, share(grad, slope, reduction))


def soft_margin_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    return reduced(aten.log1p(aten.exp(aten.neg(aten.mul(self, target)))), reduction)


def soft_margin_loss_backward(grad: Tensor, self: Tensor, target: Tensor, reduction: int) -> Tensor:
    slope = aten.neg(aten.mul(target, aten.sigmoid(aten.neg(aten.mul(self, target)))))
    return aten.mul(slope, share(grad, slope, reduction))


PARTS = {
    "mse_loss": mse_loss, "mse_loss_backward": mse_loss_backward,
    "nll_loss_forward": nll_loss_forward, "nll_loss_backward": nll_loss_backward,
    "nll_loss2d_forward": nll_loss_forward, "nll_loss2d_backward": nll_loss_backward,
    "smooth_l1_loss": smooth_l1_loss, "smooth_l1_loss_backward": smooth_l1_loss_backward,
    "huber_loss": huber_loss, "huber_loss_backward": huber_loss_backward,
    "binary_cross_entropy": binary_cross_entropy, "binary_cross_entropy_backward": binary_cross_entropy_backward,
    "soft_margin_loss": soft_margin_loss, "soft_margin_loss_backward": soft_margin_loss_backward,
}
