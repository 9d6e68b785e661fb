# cython: annotation_typing=False
"""Losses of classes: negative log likelihood and cross entropy."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.kinds import holds_many
from ...core.tensor import blank, ndim_of, numel_of, same_shape, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec
from ..shared.layout import in_order, sized, unsized
from ..shared.not_differentiable import constant
from .loss_pointwise import MEAN, NONE, reduced

LABELS = (dtypes.int64, dtypes.uint8)  # the types that targets of nll_loss may have


def _nll_check(self, target, weight):
    ndim = ndim_of(self)
    if not 0 < ndim <= 2:
        raise RuntimeError("input tensor should be 1D or 2D")
    if ndim_of(target) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    _label_check(target)
    if ndim == 2 and ndim_of(target) and shape_of(self)[0] != shape_of(target)[0]:
        raise RuntimeError(f"size mismatch (got input: {list(shape_of(self))}, target: {list(shape_of(target))})")
    _weight_check(weight, shape_of(self)[-1], "")
    if weight is not None and weight.dtype is not self.dtype and self.dtype.category == dtypes.FLOATING \
            and numel_of(target):
        raise RuntimeError(f"expected scalar type {self.dtype.short} but found {weight.dtype.short}")


def _label_check(target):
    if target.dtype not in LABELS:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.short}")


def _weight_check(weight, classes, who):
    if weight is not None and shape_of(weight) != (classes,):
        raise RuntimeError(f"{who}weight tensor should be defined either for all {classes} classes or no classes but "
                           f"got weight tensor of shape: {list(shape_of(weight))}")


def _weights(weight, dtype):
    """The weights of classes in order; torch's kernels read them as numbers of the input's type."""
    if weight is None:
        return None
    if weight.dtype is not dtype:
        raise RuntimeError(f"expected scalar type {dtype.short} but found {weight.dtype.short}")
    return in_order(weight)


class NllLossNd(Op):
    """Negative log likelihood of classes, for any number of dimensions."""

    schema = ("nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
              "SymInt ignore_index=-100) -> Tensor")

    def body(self, target, weight, reduction, ignore_index):
        shape, wanted = shape_of(self), shape_of(target)
        ndim = len(shape)
        if ndim < 1:
            raise ValueError(f"Expected 1 or more dimensions (got {ndim})")
        if ndim != 1 and (not wanted or shape[0] != wanted[0]):
            raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size "
                             f"({wanted[0] if wanted else 0}).")
        if ndim == 1 and len(wanted) == 1 and wanted[0] != 1:
            raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {wanted[0]}")
        if ndim <= 2:
            if dispatcher.is_unobserved():
                return dispatcher.call(_NLL_FORWARD, (self, target, weight, reduction, ignore_index))[0]
            return aten.nll_loss(self, target, weight, reduction, ignore_index)
        if ndim == 4:
            return aten.nll_loss2d(self, target, weight, reduction, ignore_index)
        return _flattened_nll(self, target, weight, reduction, ignore_index)


def _flattened_nll(self, target, weight, reduction, ignore_index):
    """Three or more than four dimensions are seen as four."""
    n, c, *rest = shape_of(self)
    if shape_of(target)[1:] != tuple(rest):
        raise RuntimeError(f"Expected target size {[n, *rest]}, got {list(shape_of(target))}")
    self, target = in_order(self), in_order(target)
    flat = (1, -1) if numel_of(self) else (0, 0)
    self, target = aten.view(self, (n, c, *flat)), aten.view(target, (n, *flat))
    loss = aten.nll_loss2d(self, target, weight, reduction, ignore_index)
    return aten.view(loss, (n, *rest)) if reduction == NONE else loss


class NllLoss(Op):
    """Negative log likelihood of one class for each sample."""

    schema = ("nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) "
              "-> Tensor")

    def body(self, target, weight, reduction, ignore_index):
        return aten.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]


NLL = KernelTypes("nll_loss_out_frame: floating")
HOT = "its body makes what the rule says without asking it"


def _nll_shape(self, reduction):
    return shape_of(self)[:1] if reduction == NONE and ndim_of(self) == 2 else ()


class NllLossForward(Op):
    """nll_loss, and the weight it was divided by."""

    schema = ("nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
              "(Tensor output, Tensor total_weight)")
    node = "NllLossBackward0"
    no_grad_for = "total_weight"

    tuned = HOT

    def meta(self, target, weight, reduction, ignore_index):
        constant("nll_loss_forward", "weight", weight)
        _nll_check(self, target, weight)
        return Spec(_nll_shape(self, reduction), self.dtype), Spec((), self.dtype)

    def body(self, target, weight, reduction, ignore_index):
        constant("nll_loss_forward", "weight", weight)
        _nll_check(self, target, weight)
        NLL.check(self.dtype)
        output, total_weight = blank(_nll_shape(self, reduction), self.dtype), blank((), self.dtype)
        if not numel_of(target):  # nothing to add up: a mean of nothing is not a number
            if reduction == NONE:
                run.fill(total_weight, 0)
                return output, total_weight
            if reduction == MEAN:
                aten.fill_(output, float("nan"))
            else:
                aten.zero_(output)
            return output, aten.zero_(total_weight)
        run.nll_loss_forward(output, total_weight, in_order(self), target, _weights(weight, self.dtype), reduction,
                             ignore_index)
        return output, total_weight

    def grad_self(grad, self, target, weight, reduction, ignore_index, total_weight):
        return aten.nll_loss_backward(grad, self, target, weight, reduction, ignore_index, total_weight)


_NLL_FORWARD = NllLossForward.op


class NllLossBackward(Op):
    """Derivative of nll_loss."""

    schema = ("nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
              "SymInt ignore_index, Tensor total_weight) -> Tensor")
    node = "NllLossBackwardBackward0"

    tuned = HOT

    def meta(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        constant("nll_loss_backward", "weight", weight)
        constant("nll_loss_backward", "total_weight", total_weight)
        _nll_check(self, target, weight)
        return Spec(shape_of(self), self.dtype)

    def body(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        constant("nll_loss_backward", "weight", weight)
        constant("nll_loss_backward", "total_weight", total_weight)
        _nll_check(self, target, weight)
        grad_input = aten.zero_(blank(shape_of(self), self.dtype))
        if not ndim_of(target):
            target = aten.unsqueeze(target, 0)
        run.nll_loss_backward(grad_input, grad_output, target, _weights(weight, self.dtype), total_weight, reduction,
                              ignore_index)
        return grad_input

    def grad_grad_output(grad, target, weight, reduction, ignore_index):
        return aten.nll_loss(grad, target, weight, reduction, ignore_index)

    def grad_self(grad):
        return aten.zeros_like(grad)


class NllLoss2d(Op):
    """Negative log likelihood of one class for each pixel."""

    schema = ("nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) "
              "-> Tensor")

    def body(self, target, weight, reduction, ignore_index):
        return aten.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]


def _nll2d_shape(self, reduction):
    n, c, h, w = shape_of(self)
    return (n, h, w) if reduction == NONE else ()


class NllLoss2dForward(Op):
    """nll_loss2d, and the weight it was divided by."""

    schema = ("nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
              "(Tensor output, Tensor total_weight)")
    node = "NllLoss2DBackward0"
    no_grad_for = "total_weight"
    kernel_types = "nll_loss2d_forward_out_frame: floating"

    def meta(self, target, weight, reduction, ignore_index):
        constant("nll_loss2d_forward", "weight", weight)
        _nll2d_check(self, target, weight)
        return Spec(_nll2d_shape(self, reduction), self.dtype), Spec((), self.dtype)

    def body(self, target, weight, reduction, ignore_index):
        output, total_weight = unsized(self.dtype), unsized(self.dtype)
        aten.resize_(total_weight, ())
        sized(output, _nll2d_shape(self, reduction))
        run.nll_loss_forward(output, total_weight, self, target, _weights(weight, self.dtype), reduction, ignore_index)
        return output, total_weight

    def grad_self(grad, self, target, weight, reduction, ignore_index, total_weight):
        return aten.nll_loss2d_backward(grad, self, target, weight, reduction, ignore_index, total_weight)


def _nll2d_check(self, target, weight):
    _label_check(target)
    if ndim_of(target) != 3:
        raise RuntimeError("only batches of spatial targets supported (3D tensors) but got targets of dimension: "
                           f"{ndim_of(target)}")
    if ndim_of(self) != 4:
        raise RuntimeError("only batches of spatial inputs supported (4D tensors), but got input of dimension: "
                           f"{ndim_of(self)}")
    n, c, h, w = shape_of(self)
    if shape_of(target) != (n, h, w):
        raise RuntimeError(f"size mismatch (got input: {list(shape_of(self))} , target: {list(shape_of(target))}")
    if weight is not None and numel_of(weight) != c:
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    if target.dtype is not dtypes.int64 and self.dtype.category == dtypes.FLOATING and numel_of(target):
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.short}")


class NllLoss2dBackward(Op):
    """Derivative of nll_loss2d."""

    schema = ("nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
              "SymInt ignore_index, Tensor total_weight) -> Tensor")
    node = "NllLoss2DBackwardBackward0"

    def meta(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        constant("nll_loss2d_backward", "weight", weight)
        constant("nll_loss2d_backward", "total_weight", total_weight)
        _nll2d_check(self, target, weight)
        return Spec(shape_of(self), self.dtype)

    def body(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        grad_input = aten.zero_(aten.resize_as_(aten.zeros_like(self), self))
        run.nll_loss_backward(grad_input, grad_output, target, _weights(weight, self.dtype), total_weight, reduction,
                              ignore_index)
        return grad_input

    def grad_grad_output(grad, target, weight, reduction, ignore_index):
        return aten.nll_loss2d(grad, target, weight, reduction, ignore_index)

    def grad_self(grad):
        return aten.zeros_like(grad)


class CrossEntropyLoss(Op):
    """nll_loss of log_softmax, for classes by number or by probability."""

    schema = ("cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
              "SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor")

    def body(self, target, weight, reduction, ignore_index, label_smoothing):
        shape = shape_of(self)
        by_probability = same_shape(self, target)
        _cross_entropy_check(self, target, weight, ignore_index, label_smoothing, by_probability)
        class_dim = 0 if len(shape) == 1 else 1
        logp = aten._log_softmax(self, class_dim, False) if dispatcher.is_unobserved() else \
            aten.log_softmax(self, class_dim, self.dtype)
        if by_probability:
            return _of_probabilities(logp, target, weight, reduction, class_dim, label_smoothing)
        loss = aten.nll_loss_nd(logp, target, weight, reduction, ignore_index)
        if label_smoothing == 0:
            return loss
        smooth = _smooth_loss(logp, target, weight, reduction, ignore_index, class_dim)
        smooth = aten.mul(smooth, label_smoothing / shape[class_dim])
        return aten.add(aten.mul(loss, 1 - label_smoothing), smooth)


def _cross_entropy_check(self, target, weight, ignore_index, label_smoothing, by_probability):
    if by_probability:
        if target.dtype.category != dtypes.FLOATING:
            raise RuntimeError("Expected floating point type for target with class probabilities, got "
                               f"{target.dtype.short}")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        _weight_check(weight, shape_of(self)[0 if ndim_of(self) == 1 else 1], "cross_entropy: ")
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _by_class(weight, ndim, class_dim):
    """Weights of classes laid along the class dimension."""
    return aten.view(weight, tuple([-1 if i == class_dim else 1 for i in range(ndim)]))


def _of_probabilities(logp, target, weight, reduction, class_dim, label_smoothing):
    shape = shape_of(logp)
    classes = shape[class_dim]
    if label_smoothing > 0:
        target = aten.add(aten.mul(target, 1 - label_smoothing), label_smoothing / classes)
    if weight is not None and len(shape) > 1:
        weight = _by_class(weight, len(shape), class_dim)
    loss = aten.mul(logp, target)
    if weight is not None:
        loss = aten.mul(loss, weight)
    if reduction == NONE:
        return aten.neg(aten.sum(loss, (class_dim,)))
    total = aten.sum(loss)
    if reduction == MEAN and not numel_of(logp):
        return aten.neg(aten.fill_(total, float("nan")))
    total = aten.neg(total)
    return aten.div(total, numel_of(logp) // classes) if reduction == MEAN else total


def _weights_of(weight, target, ignored, kept):
    """The weights of the classes that count; where there are no values, or many in one, of as many zeros."""
    if holds_many(target, weight):
        weights = aten.gather(weight, 0, aten.flatten(aten.masked_fill(target, ignored, 0)))
        return aten.masked_fill(weights, aten.flatten(ignored), 0.0)
    classes = aten.masked_select(target, kept) if has_values(target) else target  # a sum in the end: any will do
    return aten.gather(weight, 0, aten.flatten(classes))


def _smooth_loss(logp, target, weight, reduction, ignore_index, class_dim):
    """The loss against all classes alike, which label smoothing mixes in."""
    if weight is not None:
        logp = aten.mul(logp, _by_class(weight, ndim_of(logp), class_dim))
    smooth = aten.neg(aten.sum(logp, (class_dim,)))
    ignored = aten.eq(target, ignore_index)
    smooth = aten.masked_fill_(smooth, ignored, 0.0)
    if reduction != MEAN:
        return reduced(smooth, reduction)
    kept = aten.bitwise_not(ignored)
    if weight is not None:
        kept = _weights_of(weight, target, ignored, kept)
    count = aten.sum(kept)
    return aten.div(aten.sum(smooth), count)
