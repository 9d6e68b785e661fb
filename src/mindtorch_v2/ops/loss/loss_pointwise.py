# cython: annotation_typing=False
"""Losses of two tensors compared element by element."""

from __future__ import annotations

from ...core.dtype import ALL, COMPLEX, FLOATING
from ...core.promotion import result_type
from ...core.tensor import blank, is_in_order, numel_of, same_shape, shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import rules
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Promoted
from ..shared.layout import IN_ORDER, dense, elementwise, in_one_type

NONE, MEAN, SUM = 0, 1, 2


def reduced(losses, reduction):
    """A tensor of losses as it is, as its mean, or as its sum."""
    if reduction == MEAN:
        return aten.mean(losses)
    return aten.sum(losses) if reduction == SUM else losses


def at_once(kernel, self, target, *params):
    """A tensor of losses without the rows of casts and views, where there is nothing to cast or to broadcast."""
    if not (dispatcher.is_unobserved() and self.dtype is target.dtype and same_shape(self, target)
            and is_in_order(self) and is_in_order(target)):
        return None
    losses = blank(shape_of(self), self.dtype)
    kernel(losses, self, target, *params)
    return losses


def _loss(kernel, self, target, reduction, *params):
    """What mse_loss and smooth_l1_loss do: losses into the result, or into a buffer that is reduced into it."""
    losses = at_once(kernel, self, target, *params)
    if losses is not None:
        return reduced(losses, reduction)
    x, y = in_one_type(self, target)
    result = elementwise(x, y)
    out = allocate(result)
    if reduction == NONE:
        kernel(out, x, y, *params)
        return out
    aten.resize_(out, ())
    x, y = in_one_type(self, target)  # torch casts once for the result and once for the buffer
    losses = dense(result, IN_ORDER if same_shape(x, y) else None)
    kernel(losses, x, y, *params)
    return aten.mean(losses, (), False, out=out) if reduction == MEAN else aten.sum(losses, (), False, out=out)


def written(kernel, out, tensors, *params):
    """Run a kernel in the common type of its operands, into a tensor of any type and, for now, any shape."""
    result = rules.pointwise(*tensors)
    common = result.dtype
    resize_output(out, result.shape)
    into = out if out.dtype is common else aten.empty_like(out, dtype=common, memory_format=IN_ORDER)
    kernel(into, *[t if t.dtype is common else aten.to(t, common) for t in tensors], *params)
    return out if into is out else aten.copy_(out, into)


def _into_zeros(name: str):
    """What a derivative does: its form that writes into a given tensor is given zeros."""
    def body(grad_output, self, *others):
        grad_input = aten.zeros_like(self, memory_format=IN_ORDER)
        return getattr(aten, name)(grad_output, self, *others, grad_input=grad_input)
    return body


_NUMBERS = {dtype: rules.Spec((), dtype) for dtype in ALL}
_MSE, _SMOOTH_L1, _HUBER = [Promoted(f"{name}_cpu: floating") for name in ("mse", "smooth_l1", "huber")]


def _reduced_rule(spec: rules.Spec, reduction: int) -> rules.Spec:
    """What is left of losses after they were reduced."""
    return spec if reduction == NONE else _NUMBERS[spec.dtype]


class MseLoss(Op):
    """The squared difference."""

    schema = "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"

    def meta(self, target, reduction):
        return _reduced_rule(_MSE(self, target), reduction)

    def body(self, target, reduction):
        return _loss(run.mse_loss, self, target, reduction)

    def grad_self(grad, self, target, reduction):
        return aten.mse_loss_backward(grad, self, target, reduction)

    def grad_target(grad, self, target, reduction):
        return aten.mse_loss_backward(grad, target, self, reduction)


class MseLossBackward(Op):
    """Derivative of mse_loss with respect to self."""

    schema = "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"
    node = "MseLossBackwardBackward0"
    body = _into_zeros("mse_loss_backward")

    def grads(grad, grad_output, self, target, reduction):
        bend = aten.mul(aten.mul(grad, grad_output), 2 / numel_of(self) if reduction == MEAN else 2)
        return aten.mse_loss_backward(grad, self, target, reduction), bend, aten.neg(bend)



class SmoothL1Loss(Op):
    """Squared difference within beta, absolute difference outside."""

    schema = "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"
    node = "SmoothL1LossBackward0"

    def meta(self, target, reduction, beta):
        if beta < 0:
            raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
        return _reduced_rule(_SMOOTH_L1(self, target), reduction)

    def body(self, target, reduction, beta):
        return _loss(run.smooth_l1_loss, self, target, reduction, beta)

    def grad_self(grad, self, target, reduction, beta):
        return aten.smooth_l1_loss_backward(grad, self, target, reduction, beta)

    def grad_target(grad, self, target, reduction, beta):
        return aten.smooth_l1_loss_backward(grad, target, self, reduction, beta)


class SmoothL1LossBackward(Op):
    """Derivative of smooth_l1_loss with respect to self."""

    schema = ("smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) "
              "-> Tensor")
    node = "SmoothL1LossBackwardBackward0"
    body = _into_zeros("smooth_l1_loss_backward")

    def grads(grad, grad_output, self, target, reduction, beta):
        bend = _inside(grad, grad_output, self, target, reduction, beta, 1 / beta if beta else 0.0)
        return aten.smooth_l1_loss_backward(grad, self, target, reduction, beta), bend, aten.neg(bend)


def _inside(grad, grad_output, self, target, reduction, width, bend):
    """A second derivative that is constant within a width and zero outside."""
    near = aten.lt(aten.abs(aten.sub(self, target)), width)
    return aten.mul(aten.mul(aten.mul(grad, grad_output), near), bend / numel_of(self) if reduction == MEAN else bend)



class HuberLoss(Op):
    """Half the squared difference within delta, delta times the absolute difference outside."""

    schema = "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"

    def meta(self, target, reduction, delta):
        if not delta > 0:
            raise RuntimeError("huber_loss does not support non-positive values for delta.")
        check_storable(result_type(self, target), self)
        return _reduced_rule(_HUBER(self, target), reduction)

    def body(self, target, reduction, delta):
        losses = at_once(run.huber_loss, self, target, delta)
        if losses is None:
            losses = written(run.huber_loss, aten.empty_like(self), (self, target), delta)
        return reduced(losses, reduction)

    def grad_self(grad, self, target, reduction, delta):
        return aten.huber_loss_backward(grad, self, target, reduction, delta)

    def grad_target(grad, self, target, reduction, delta):
        return aten.huber_loss_backward(grad, target, self, reduction, delta)


class HuberLossBackward(Op):
    """Derivative of huber_loss with respect to self."""

    schema = "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor"
    node = "HuberLossBackwardBackward0"
    body = _into_zeros("huber_loss_backward")

    def grads(grad, grad_output, self, target, reduction, delta):
        bend = _inside(grad, grad_output, self, target, reduction, delta, 1.0)
        return aten.huber_loss_backward(grad, self, target, reduction, delta), bend, aten.neg(bend)



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


# The derivatives that write into a given tensor: their kernel, its name in torch's complaints, the overload, what
# follows the reduction, and whether all tensors have to be of one type.
INTO = {
    "mse_loss_backward": (run.mse_loss_backward, "mse_backward_cpu_out", "grad_input", "", False),
    "smooth_l1_loss_backward": (run.smooth_l1_loss_backward, "smooth_l1_backward_cpu_out", "grad_input",
                                "float beta, ", False),
    "huber_loss_backward": (run.huber_loss_backward, "huber_backward_cpu_out", "out", "float delta, ", True),
}


def _slopes(kernel, kernel_name: str, has_one_type: bool):
    """Rule and body of such a derivative."""
    types = KernelTypes(f"{kernel_name}: floating")

    def meta(grad_output, self, target, reduction, *others):
        spec = rules.pointwise(self, target, grad_output)
        grad_input = others[-1]
        if has_one_type:
            for given in (grad_input, grad_output, target):
                rules.same_type_out(self, given)
        check_storable(spec.dtype, grad_input)
        types.check(spec.dtype)
        return spec

    def body(grad_output, self, target, reduction, *others):
        *params, grad_input = others
        norm = 1 / numel_of(self) if reduction == MEAN and numel_of(self) else 1.0
        return written(kernel, grad_input, (self, target, grad_output), norm, *params)

    return {"meta": meta, "body": body}


for _name, (_kernel, _kernel_name, _overload, _params, _has_one_type) in INTO.items():
    declare(f"{_name}.{_overload}(Tensor grad_output, Tensor self, Tensor target, int reduction, {_params}*, "
            "Tensor(a!) grad_input) -> Tensor(a!)", f"{_name}, into a given tensor.", below=True,
            **_slopes(_kernel, _kernel_name, _has_one_type))
