"""Losses that want a margin between what belongs together and what does not."""

from __future__ import annotations

import math

from ...core.device import preserve_format
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import IN_ORDER, unsized
from ..shared.not_differentiable import constant
from .loss_pointwise import MEAN, NONE, reduced

EPSILON = 1e-12


def _margin_left(margin, distance):
    """What a distance lacks to the margin, or nothing."""
    left = aten.fill_(aten.empty_like(distance, memory_format=preserve_format), margin)
    return aten.clamp_min_(aten.sub_(left, distance), 0)


class HingeEmbeddingLoss(Op):
    """self where target is 1, what self lacks to the margin where it is -1."""

    schema = "hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"

    def body(self, target, margin, reduction):
        zeros = aten.zeros_like(self, memory_format=IN_ORDER)
        apart = _margin_left(margin, self)
        losses = aten.where(aten.ne(target, 1), apart, zeros)
        return reduced(aten.add(losses, aten.where(aten.ne(target, -1), self, zeros)), reduction)


class MarginRankingLoss(Op):
    """What the first input lacks to rank above (target 1) or below (-1) the second by the margin."""

    schema = ("margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) "
              "-> Tensor")

    def body(input1, input2, target, margin, reduction):
        difference = aten.sub(input1, input2)
        against = aten.neg(target)
        signed = aten.mul(against, difference)
        losses = aten.add(signed, margin)
        del difference, against, signed
        return reduced(aten.clamp_min_(losses, 0), reduction)


class CosineEmbeddingLoss(Op):
    """One minus the cosine where target is 1, the cosine above the margin where it is -1."""

    schema = ("cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) "
              "-> Tensor")

    def body(input1, input2, target, margin, reduction):
        ndim = ndim_of(target)
        if ndim > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if not ndim_of(input1) == ndim_of(input2) == ndim + 1:
            raise RuntimeError(f"{ndim}D target tensor expects {ndim + 1}D input tensors, but found inputs with sizes "
                               f"{list(shape_of(input1))} and {list(shape_of(input2))}.")
        both = aten.sum(aten.mul(input1, input2), (ndim,))
        first = aten.add(aten.sum(aten.mul(input1, input1), (ndim,)), EPSILON)
        second = aten.add(aten.sum(aten.mul(input2, input2), (ndim,)), EPSILON)
        cosine = aten.div(both, aten.sqrt_(aten.mul(first, second)))
        zeros = aten.zeros_like(cosine, memory_format=IN_ORDER)
        together = aten.sub_(aten.fill_(aten.empty_like(cosine, memory_format=preserve_format), 1), cosine)
        apart = aten.clamp_min_(aten.sub(cosine, margin), 0)
        losses = aten.where(aten.eq(target, 1), together, zeros)
        return reduced(aten.add(losses, aten.where(aten.eq(target, -1), apart, zeros)), reduction)


class TripletMarginLoss(Op):
    """How much nearer than the margin the negative is to the anchor, compared with the positive."""

    schema = ("triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., "
              "float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor")

    def body(anchor, positive, negative, margin, p, eps, swap, reduction):
        dims = [ndim_of(t) for t in (anchor, positive, negative)]
        if len(set(dims)) > 1:
            raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of "
                               f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D "
                               "inputs")
        near = aten.pairwise_distance(anchor, positive, p, eps)
        far = aten.pairwise_distance(anchor, negative, p, eps)
        if swap:
            far = aten.min(far, aten.pairwise_distance(positive, negative, p, eps))
        return reduced(aten.clamp_min(aten.sub(aten.add(near, margin), far), 0), reduction)


class PoissonNllLoss(Op):
    """Negative log likelihood of counts under Poisson's distribution."""

    schema = ("poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) "
              "-> Tensor")

    def body(input, target, log_input, full, eps, reduction):
        if log_input:
            crossed = aten.mul(target, input)
            losses = aten.sub(aten.exp(input), crossed)
        else:
            losses = aten.sub(input, aten.mul(target, aten.log(aten.add(input, eps))))
        if full:
            spread = aten.mul(aten.log(aten.mul(target, 2 * math.pi)), 0.5)
            stirling = aten.add(aten.sub(aten.mul(target, aten.log(target)), target), spread)
            losses = aten.add_(losses, aten.masked_fill(stirling, aten.le(target, 1), 0))
        return reduced(losses, reduction)


class SoftMarginLoss(Op):
    """log(1 + exp(-target self))."""

    schema = "soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"

    def meta(self, target, reduction):
        constant("soft_margin_loss", "target", target)

    def body(self, target, reduction):
        return aten.soft_margin_loss(self, target, reduction, out=unsized(self.dtype))

    def grad_self(grad, self, target, reduction):
        return aten.soft_margin_loss_backward(grad, self, target, reduction)


class SoftMarginLossOut(Op):
    """soft_margin_loss, into a given tensor."""

    schema = "soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "shares_inputs"
    below = True

    def body(self, target, reduction, out):
        aten.log1p_(aten.exp_(aten.mul_(aten.neg(self, out=out), target)))
        if reduction == NONE:
            return out
        total = reduced(out, reduction)
        return aten.copy_(aten.resize_(out, ()), total)


class SoftMarginLossBackward(Op):
    """Derivative of soft_margin_loss."""

    schema = "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"
    node = "SoftMarginLossBackwardBackward0"

    def meta(grad_output, self, target, reduction):
        constant("soft_margin_loss_backward", "target", target)

    def body(grad_output, self, target, reduction):
        return aten.soft_margin_loss_backward(grad_output, self, target, reduction, grad_input=unsized(self.dtype))

    def grads(grad, grad_output, self, target, reduction):
        share = aten.sigmoid(aten.mul(aten.neg(target), self))
        steep = aten.mul(aten.mul(share, aten.rsub(share, 1)), aten.mul(target, target))
        bend = aten.mul(aten.mul(grad, grad_output), steep)
        return (aten.soft_margin_loss_backward(grad, self, target, reduction),
                aten.div(bend, numel_of(self)) if reduction == MEAN else bend, None)


def _share(self, reduction: int) -> float:
    """What each element counts for, with the sign of the exponent."""
    if reduction != MEAN:
        return -1.0
    return -1 / numel_of(self) if numel_of(self) else -math.inf


class SoftMarginLossBackwardInto(Op):
    """Derivative of soft_margin_loss, into a given tensor."""

    schema = ("soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, "
              "Tensor(a!) grad_input) -> Tensor(a!)")
    overlap = "shares_inputs"
    below = True

    def body(grad_output, self, target, reduction, grad_input):
        z = aten.exp(aten.mul(aten.neg(target), self))
        aten.mul_(aten.mul(target, z, out=grad_input), _share(self, reduction))
        return aten.mul_(aten.div_(grad_input, aten.add_(z, 1)), grad_output)
