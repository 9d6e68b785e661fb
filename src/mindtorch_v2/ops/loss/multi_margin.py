"""Losses of classes that want a margin between the right ones and all others."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec, like
from ..shared.layout import IN_ORDER, in_order, unsized
from ..shared.not_differentiable import UNKNOWN, constant, unknown
from ..shared.values import has_values
from .loss_pointwise import NONE

_REAL = (dtypes.float32, dtypes.float64)


def _samples(self) -> tuple[int, int]:
    """How many samples there are, and of how many classes; a single one may come without a dimension for it."""
    shape = shape_of(self)
    if len(shape) > 2 or 0 in shape[-1:]:
        raise RuntimeError("Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
                           f"{list(shape)}")
    return (shape[0] if len(shape) == 2 else 1, shape[-1] if shape else 1)


def _type_check(kernel: str, self, target, *same) -> None:
    if self.dtype not in _REAL:
        raise not_implemented(kernel, self.dtype)
    for t, wanted in ((target, dtypes.int64), *[(t, self.dtype) for t in same if t is not None]):
        if t.dtype is not wanted:
            raise RuntimeError(f"expected scalar type {wanted.short} but found {t.dtype.short}")


def _in_order(*tensors) -> list:
    return [None if t is None else in_order(t) for t in tensors]


def _multi_margin_check(kernel: str, self, target, p, weight, *others) -> None:
    if p not in (1, 2):
        raise RuntimeError("only p == 1 and p == 2 supported")
    count, classes = _samples(self)
    if ndim_of(target) > 1 or numel_of(target) != count or ndim_of(self) == 2 and not ndim_of(target):
        raise RuntimeError("multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
                           f"samples (batch size). Expected target size [{count}], but got {list(shape_of(target))}. "
                           f"Input has shape {list(shape_of(self))}.")
    if weight is not None and (ndim_of(weight) > 1 or numel_of(weight) != classes):
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(shape_of(weight))}")
    _type_check(kernel, self, target, weight, *others)


def _multi_margin_spec(self, target, reduction) -> Spec:
    return Spec(shape_of(target) if reduction == NONE else (), self.dtype)


def _multi_margin(out, self, target, p, margin, weight, reduction):
    aten.resize_(out, _multi_margin_spec(self, target, reduction).shape)
    self, target, weight = _in_order(self, target, weight)
    run.multi_margin_loss(out, self, target, weight, p, margin, reduction)
    return out


class MultiMarginLoss(Op):
    """What the score of a sample's class lacks to lead all others by the margin."""

    schema = ("multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, "
              "int reduction=1) -> Tensor")

    def meta(self, target, p, margin, weight, reduction):
        constant("multi_margin_loss", "weight", weight)
        _multi_margin_check("multi_margin_loss_cpu_kernel", self, target, p, weight)
        return _multi_margin_spec(self, target, reduction)

    def body(self, target, p, margin, weight, reduction):
        return _multi_margin(unsized(self.dtype), self, target, p, margin, weight, reduction)

    def grad_self(grad, self, target, p, margin, weight, reduction):
        return aten.multi_margin_loss_backward(grad, self, target, p, margin, weight, reduction)


class MultiMarginLossOut(Op):
    """multi_margin_loss, into a given tensor."""

    schema = ("multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, "
              "int reduction=1, *, Tensor(a!) out) -> Tensor(a!)")
    below = True

    def meta(self, target, p, margin, weight, reduction, out):
        _multi_margin_check("multi_margin_loss_cpu_kernel", self, target, p, weight, out)
        return _multi_margin_spec(self, target, reduction)

    def body(self, target, p, margin, weight, reduction, out):
        return _multi_margin(out, self, target, p, margin, weight, reduction)


def _multi_margin_backward(grad_input, grad_output, self, target, p, margin, weight, reduction):
    aten.resize_as_(grad_input, self)
    if reduction == NONE and ndim_of(grad_output) > 1:
        raise RuntimeError(f"TensorAccessor expected 1 dims but tensor has {ndim_of(grad_output)}")
    if numel_of(self):
        self, target, weight = _in_order(self, target, weight)
        run.multi_margin_loss_backward(grad_input, grad_output, self, target, weight, p, margin, reduction)
    return grad_input


class MultiMarginLossBackward(Op):
    """Derivative of multi_margin_loss."""

    schema = ("multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, "
              "Tensor? weight=None, int reduction=1) -> Tensor")
    node = UNKNOWN
    grads = unknown("multi_margin_loss_backward")

    def meta(grad_output, self, target, p, margin, weight, reduction):
        _multi_margin_check("multi_margin_loss_backward_cpu_kernel", self, target, p, weight, grad_output)
        return like(self)

    def body(grad_output, self, target, p, margin, weight, reduction):
        return _multi_margin_backward(unsized(self.dtype), grad_output, self, target, p, margin, weight, reduction)


class MultiMarginLossBackwardInto(Op):
    """Derivative of multi_margin_loss, into a given tensor."""

    schema = ("multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Scalar p, "
              "Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)")
    node = UNKNOWN
    grads = unknown("multi_margin_loss_backward")

    def meta(grad_output, self, target, p, margin, weight, reduction, grad_input):
        _multi_margin_check("multi_margin_loss_backward_cpu_kernel", self, target, p, weight, grad_output, grad_input)
        return like(self)

    def body(grad_output, self, target, p, margin, weight, reduction, grad_input):
        return _multi_margin_backward(grad_input, grad_output, self, target, p, margin, weight, reduction)


def _multilabel_check(self, target) -> None:
    _samples(self)
    shape, wanted = shape_of(self), shape_of(target)
    if wanted != shape and (len(shape) == 2 or len(wanted) > 1 or numel_of(target) != numel_of(self)):
        raise RuntimeError(f"inconsistent target size: {list(wanted)} for input of size: {list(shape)}")


def _range_check(t, least: int, most: int, name: str) -> None:
    """All elements between two numbers; looking for them shows as rows."""
    if has_values(t) and (aten.item(aten.min(t)) < least or aten.item(aten.max(t)) > most):
        raise RuntimeError(f"argument {name} is out of range")


def _multilabel_specs(self, target, reduction) -> tuple[Spec, Spec]:
    _multilabel_check(self, target)
    shape = (_samples(self)[0],) if reduction == NONE and ndim_of(target) > 1 else ()
    return Spec(shape, self.dtype), Spec(shape_of(target), self.dtype)


def _multilabel(output, is_target, self, target, reduction):
    losses, _ = _multilabel_specs(self, target, reduction)
    aten.resize_(output, losses.shape)
    aten.zero_(aten.resize_as_(is_target, target))
    if numel_of(self):
        _range_check(target, -1, _samples(self)[1] - 1, "#2 'target'")
        self, target = _in_order(self, target)
        _type_check("multilabel_margin_loss_forward_out_frame", self, target, output, is_target)
    run.multilabel_margin_loss_forward(output, is_target, self, target, reduction)
    return output, is_target


class MultilabelMarginLoss(Op):
    """What the scores of a sample's classes, which end with -1, lack to lead all others by one."""

    schema = "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"

    def body(self, target, reduction):
        return aten.multilabel_margin_loss_forward(self, target, reduction)[0]


class MultilabelMarginLossOut(Op):
    """multilabel_margin_loss, into a given tensor."""

    schema = "multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)"

    def body(self, target, reduction, out):
        aten.multilabel_margin_loss_forward(self, target, reduction, output=out, is_target=unsized(self.dtype))
        return out


class MultilabelMarginLossForward(Op):
    """multilabel_margin_loss, and which classes are a sample's own."""

    schema = ("multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> "
              "(Tensor output, Tensor is_target)")
    node = "MultilabelMarginLossBackward0"
    no_grad_for = "is_target"

    meta = _multilabel_specs

    def body(self, target, reduction):
        return _multilabel(unsized(self.dtype), unsized(self.dtype), self, target, reduction)

    def grad_self(grad, self, target, reduction, is_target):
        return aten.multilabel_margin_loss_backward(grad, self, target, reduction, is_target)


class MultilabelMarginLossForwardInto(Op):
    """The same, into given tensors."""

    schema = ("multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, "
              "Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))")
    below = True

    def meta(self, target, reduction, output, is_target):
        return _multilabel_specs(self, target, reduction)

    def body(self, target, reduction, output, is_target):
        return _multilabel(output, is_target, self, target, reduction)


def _multilabel_backward_spec(grad_output, self, target, reduction, is_target) -> Spec:
    _multilabel_check(self, target)
    if shape_of(is_target) != shape_of(target):
        raise RuntimeError("Expected tensor for argument #3 'target' to have same size as tensor for argument #5 "
                           f"'is_target'; but {list(shape_of(target))} does not equal {list(shape_of(is_target))} "
                           "(while checking arguments for multilabel_margin_loss_backward_cpu_template)")
    return like(self)


def _multilabel_backward(grad_input, grad_output, self, target, reduction, is_target):
    aten.resize_as_(grad_input, self)
    if not numel_of(self):
        return grad_input
    aten.zero_(grad_input)
    _range_check(target, -1, _samples(self)[1] - 1, "#3 'target'")
    self, target, is_target = _in_order(self, target, is_target)
    _range_check(is_target, 0, 1, "#5 'is_target'")
    _type_check("multilabel_margin_loss_backward_out_frame", self, target, grad_output, is_target, grad_input)
    if reduction == NONE and ndim_of(self) == 2 and shape_of(grad_output) != shape_of(self)[:1]:
        given, count = shape_of(grad_output), shape_of(self)[0]
        raise RuntimeError(f"Expected a tensor of dimension 1 and tensor.size[0] == {count} but got: dimension "
                           f"{len(given)} and tensor.size[0] = {given[0] if given else 0}")
    run.multilabel_margin_loss_backward(grad_input, grad_output, self, target, is_target, reduction)
    return grad_input


class MultilabelMarginLossBackward(Op):
    """Derivative of multilabel_margin_loss."""

    schema = ("multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
              "Tensor is_target) -> Tensor")
    node = UNKNOWN
    grads = unknown("multilabel_margin_loss_backward")
    meta = _multilabel_backward_spec

    def body(grad_output, self, target, reduction, is_target):
        grad_input = aten.zeros_like(self, memory_format=IN_ORDER)
        return _multilabel_backward(grad_input, grad_output, self, target, reduction, is_target)


class MultilabelMarginLossBackwardInto(Op):
    """Derivative of multilabel_margin_loss, into a given tensor."""

    schema = ("multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
              "int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)")
    node = UNKNOWN
    grads = unknown("multilabel_margin_loss_backward")

    def meta(grad_output, self, target, reduction, is_target, grad_input):
        return _multilabel_backward_spec(grad_output, self, target, reduction, is_target)

    def body(grad_output, self, target, reduction, is_target, grad_input):
        return _multilabel_backward(grad_input, grad_output, self, target, reduction, is_target)
