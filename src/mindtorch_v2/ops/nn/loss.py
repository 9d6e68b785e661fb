# cython: annotation_typing=False
"""Losses of classes: negative log likelihood and cross entropy."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.tensor import blank
from ...devices import cpu as kernels
from ...devices.cpu.layout import compact
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import in_order, size_as, unsized
from ..shared.not_differentiable import constant
from .loss_pointwise import MEAN, NONE, reduced


def _nll_check(self, target, weight):
    ndim, kinds = self._mt_array.ndim, (dtypes.int64, dtypes.uint8)
    if not 0 < ndim <= 2:
        raise RuntimeError("input tensor should be 1D or 2D")
    if target._mt_array.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.dtype not in kinds:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.short}")
    if ndim == 2 and target._mt_array.ndim and self._mt_array.shape[0] != target._mt_array.shape[0]:
        raise RuntimeError(f"size mismatch (got input: {list(self.shape)}, target: {list(target.shape)})")
    _weight_check(weight, self._mt_array.shape[-1], self, "")
    if weight is not None and weight.dtype is not self.dtype and self.dtype.category == dtypes.FLOATING \
            and target._mt_array.size:
        raise RuntimeError(f"expected scalar type {self.dtype.short} but found {weight.dtype.short}")


def _weight_check(weight, classes, self, who):
    if weight is not None and weight._mt_array.shape != (classes,):
        raise RuntimeError(f"{who}weight tensor should be defined either for all {classes} classes or no classes but "
                           f"got weight tensor of shape: {list(weight.shape)}")


def _labels(target):
    found = compact(target._mt_array)
    return found if target.dtype is dtypes.int64 else found.astype(np.int64)


def _weights(weight):
    return None if weight is None else in_order(weight)._mt_array


class NllLossNd(Op):
    """Negative log likelihood of classes, for any number of dimensions."""

    schema = ("nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
              "SymInt ignore_index=-100) -> Tensor")

    def body(self, target, weight, reduction, ignore_index):
        shape, wanted = self._mt_array.shape, target._mt_array.shape
        ndim = len(shape)
        if ndim < 1:
            raise ValueError(f"Expected 1 or more dimensions (got {ndim})")
        if ndim != 1 and (not wanted or shape[0] != wanted[0]):
            raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size "
                             f"({wanted[0] if wanted else 0}).")
        if ndim <= 2:
            return aten.nll_loss(self, target, weight, reduction, ignore_index)
        if ndim == 4:
            return aten.nll_loss2d(self, target, weight, reduction, ignore_index)
        return _flattened_nll(self, target, weight, reduction, ignore_index)


def _flattened_nll(self, target, weight, reduction, ignore_index):
    """Three or more than four dimensions are seen as four."""
    n, c, *rest = self._mt_array.shape
    if target._mt_array.shape[1:] != tuple(rest):
        raise RuntimeError(f"Expected target size {[n, *rest]}, got {list(target.shape)}")
    self, target = in_order(self), in_order(target)
    flat = (1, -1) if self._mt_array.size else (0, 0)
    self, target = aten.view(self, (n, c, *flat)), aten.view(target, (n, *flat))
    found = aten.nll_loss2d(self, target, weight, reduction, ignore_index)
    return aten.view(found, (n, *rest)) if reduction == NONE else found


class NllLoss(Op):
    """Negative log likelihood of one class for each sample."""

    schema = ("nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) "
              "-> Tensor")

    def body(self, target, weight, reduction, ignore_index):
        return aten.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]


class NllLossForward(Op):
    """nll_loss, and the weight it was divided by."""

    schema = ("nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
              "(Tensor output, Tensor total_weight)")
    node = "NllLossBackward0"
    no_grad_for = "total_weight"

    kernel_types = "nll_loss_out_frame: floating"

    def meta(self, target, weight, reduction, ignore_index):
        constant("nll_loss_forward", "weight", weight)
        _nll_check(self, target, weight)

    def body(self, target, weight, reduction, ignore_index):
        shape = self._mt_array.shape[:1] if reduction == NONE and self._mt_array.ndim == 2 else ()
        output, total_weight = blank(shape, self.dtype), blank((), self.dtype)
        if not target._mt_array.size:  # nothing to add up: a mean of nothing is not a number
            if reduction == MEAN:
                aten.fill_(output, float("nan"))
            else:
                aten.zero_(output)
            return output, aten.zero_(total_weight)
        logp = in_order(self)._mt_array
        kernels.loss.nll_forward(output._mt_array, total_weight._mt_array, logp, _labels(target), _weights(weight),
                                 reduction, ignore_index)
        return output, total_weight

    def grad_self(grad, self, target, weight, reduction, ignore_index, total_weight):
        return aten.nll_loss_backward(grad, self, target, weight, reduction, ignore_index, total_weight)


class NllLossBackward(Op):
    """Derivative of nll_loss."""

    schema = ("nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
              "SymInt ignore_index, Tensor total_weight) -> Tensor")
    node = "NllLossBackwardBackward0"

    def meta(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        constant("nll_loss_backward", "weight", weight)
        constant("nll_loss_backward", "total_weight", total_weight)
        _nll_check(self, target, weight)

    def body(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        grad_input = aten.zero_(blank(self._mt_array.shape, self.dtype))
        if not target._mt_array.ndim:
            target = aten.unsqueeze(target, 0)
        kernels.loss.nll_backward(grad_input._mt_array, compact(grad_output._mt_array), _labels(target),
                                  _weights(weight), total_weight._mt_array, reduction, ignore_index)
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


class NllLoss2dForward(Op):
    """nll_loss2d, and the weight it was divided by."""

    schema = ("nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> "
              "(Tensor output, Tensor total_weight)")
    node = "NllLoss2DBackward0"
    no_grad_for = "total_weight"

    def meta(self, target, weight, reduction, ignore_index):
        constant("nll_loss2d_forward", "weight", weight)

    def body(self, target, weight, reduction, ignore_index):
        output, total_weight = unsized(self.dtype), unsized(self.dtype)
        _nll2d_check(self, target, weight)
        aten.resize_(total_weight, ())
        n, c, h, w = self._mt_array.shape
        size_as(output, np.empty((n, h, w) if reduction == NONE else (), self.dtype.numpy))
        logp = compact(self._mt_array)
        kernels.loss.nll_forward(output._mt_array, total_weight._mt_array, logp, _labels(target), _weights(weight),
                                 reduction, ignore_index)
        return output, total_weight

    def grad_self(grad, self, target, weight, reduction, ignore_index, total_weight):
        return aten.nll_loss2d_backward(grad, self, target, weight, reduction, ignore_index, total_weight)


def _nll2d_check(self, target, weight):
    if target._mt_array.ndim != 3:
        raise RuntimeError("only batches of spatial targets supported (3D tensors) but got targets of dimension: "
                           f"{target._mt_array.ndim}")
    if self._mt_array.ndim != 4:
        raise RuntimeError("only batches of spatial inputs supported (4D tensors), but got input of dimension: "
                           f"{self._mt_array.ndim}")
    n, c, h, w = self._mt_array.shape
    if target._mt_array.shape != (n, h, w):
        raise RuntimeError(f"size mismatch (got input: {list(self.shape)} , target: {list(target.shape)}")
    if weight is not None and weight._mt_array.size != c:
        raise RuntimeError("weight tensor should be defined either for all or no classes")


class NllLoss2dBackward(Op):
    """Derivative of nll_loss2d."""

    schema = ("nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
              "SymInt ignore_index, Tensor total_weight) -> Tensor")
    node = "NllLoss2DBackwardBackward0"

    def meta(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        constant("nll_loss2d_backward", "weight", weight)
        constant("nll_loss2d_backward", "total_weight", total_weight)
        _nll2d_check(self, target, weight)

    def body(grad_output, self, target, weight, reduction, ignore_index, total_weight):
        grad_input = aten.zero_(aten.resize_as_(aten.zeros_like(self), self))
        made = grad_input._mt_array if grad_input.is_contiguous() else np.zeros(self._mt_array.shape, self.dtype.numpy)
        kernels.loss.nll_backward(made, compact(grad_output._mt_array), _labels(target),
                                  _weights(weight), total_weight._mt_array, reduction, ignore_index)
        if made is not grad_input._mt_array:
            grad_input._mt_array[...] = made
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
        shape = self._mt_array.shape
        by_probability = shape == target._mt_array.shape
        _cross_entropy_check(self, target, weight, ignore_index, label_smoothing, by_probability)
        class_dim = 0 if len(shape) == 1 else 1
        logp = aten.log_softmax(self, class_dim, self.dtype)
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
        _weight_check(weight, self._mt_array.shape[0 if self._mt_array.ndim == 1 else 1], self, "cross_entropy: ")
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _by_class(weight, ndim, class_dim):
    """Weights of classes laid along the class dimension."""
    return aten.view(weight, tuple([-1 if i == class_dim else 1 for i in range(ndim)]))


def _of_probabilities(logp, target, weight, reduction, class_dim, label_smoothing):
    shape = logp._mt_array.shape
    classes = shape[class_dim]
    if label_smoothing > 0:
        target = aten.add(aten.mul(target, 1 - label_smoothing), label_smoothing / classes)
    if weight is not None:
        weight = _by_class(weight, len(shape), class_dim)
    loss = aten.mul(logp, target)
    if weight is not None:
        loss = aten.mul(loss, weight)
    if reduction == NONE:
        return aten.neg(aten.sum(loss, (class_dim,)))
    total = aten.neg(aten.sum(loss))
    return aten.div(total, logp._mt_array.size // max(classes, 1)) if reduction == MEAN else total


def _smooth_loss(logp, target, weight, reduction, ignore_index, class_dim):
    """The loss against all classes alike, which label smoothing mixes in."""
    if weight is not None:
        logp = aten.mul(logp, _by_class(weight, logp._mt_array.ndim, class_dim))
    smooth = aten.neg(aten.sum(logp, (class_dim,)))
    ignored = aten.eq(target, ignore_index)
    smooth = aten.masked_fill_(smooth, ignored, 0.0)
    if reduction != MEAN:
        return reduced(smooth, reduction)
    kept = aten.bitwise_not(ignored)
    if weight is not None:
        kept = aten.gather(weight, 0, aten.flatten(aten.masked_select(target, kept)))
    count = aten.sum(kept)
    return aten.div(aten.sum(smooth), count)
