"""A whole optimiser step in one op: one pass over each parameter, instead of one per sum and product."""

from __future__ import annotations

from ...core.tensor import Tensor, count_write
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.form import Op

_ADAM = ("Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, "
         "Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, {lr} lr, float beta1, float beta2, "
         "float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None")
_SGD = ("Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, "
        "float momentum, {lr} lr, float dampening, bool nesterov, bool maximize, bool is_first_step, "
        "Tensor? grad_scale=None, Tensor? found_inf=None")
_ADAGRAD = ("Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, {steps} state_steps, *, {lr} lr, "
            "float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, "
            "Tensor? found_inf=None")


def _skips(found_inf) -> bool:
    """A scaled gradient overflowed: this step is left out."""
    return found_inf is not None and ask.item(found_inf) == 1


def _have_no_values(tensors) -> bool:
    """Such tensors take no step, and have no rate or count of steps to read."""
    return bool(tensors) and not has_values(tensors[0])


def _unscale(grads, grad_scale) -> None:
    """Gradients are divided by their scale where they lie, as torch leaves them."""
    if grad_scale is not None:
        run.unscale(grads, grad_scale)
        _count_writes(grads)


def _number(lr) -> float:
    return aten.item(lr) if isinstance(lr, Tensor) else lr


def _count_writes(*lists) -> None:
    for tensors in lists:
        for t in tensors:
            count_write(t)


# A rate in a tensor is declared first: a tensor would also fit a number, and be read outside the op.

def _adam(decoupled: bool):
    def body(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr, beta1, beta2, weight_decay, eps,
             amsgrad, maximize, grad_scale, found_inf):
        _check_lists(self, grads=grads, exp_avgs=exp_avgs, exp_avg_sqs=exp_avg_sqs, state_steps=state_steps,
                     **({"max_exp_avg_sqs": max_exp_avg_sqs} if amsgrad else {}))
        if _have_no_values(self):
            return None
        lr = _number(lr)
        if _skips(found_inf):
            return None
        _unscale(grads, grad_scale)
        largest = max_exp_avg_sqs if amsgrad else ()
        run.adam_steps(self, grads, exp_avgs, exp_avg_sqs, largest, [aten.item(t) for t in state_steps], lr, beta1,
                       beta2, weight_decay, eps, amsgrad, maximize, decoupled)
        _count_writes(self, exp_avgs, exp_avg_sqs, largest)
        return None
    return body


def _check_lists(self, **lists) -> None:
    """Every list has a tensor for each parameter."""
    for name, tensors in lists.items():
        if len(tensors) != len(self):
            raise RuntimeError(f"Expected {name}.size() == n_tensors to be true, but got false.  (Could this error "
                               "message be improved?  If so, please report an enhancement request to PyTorch.)")


def _sgd(self, grads, momentum_buffer_list, weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step,
         grad_scale, found_inf):
    _check_lists(self, grads=grads, **({"momentum_buffer_list": momentum_buffer_list} if momentum_buffer_list else {}))
    if _have_no_values(self):
        return
    lr = _number(lr)
    if _skips(found_inf):
        return
    _unscale(grads, grad_scale)
    run.sgd_steps(self, grads, momentum_buffer_list, weight_decay, momentum, lr, dampening, nesterov, maximize,
                  is_first_step)
    _count_writes(self, momentum_buffer_list)


class FusedAdamTensorRate(Op):
    """One step of Adam for many parameters, with the learning rate in a tensor."""

    schema = f"_fused_adam_.tensor_lr({_ADAM.format(lr='Tensor')}) -> ()"
    body = _adam(False)


class FusedAdam(Op):
    """One step of Adam for many parameters."""

    schema = f"_fused_adam_({_ADAM.format(lr='float')}) -> ()"
    body = _adam(False)


class FusedAdamWTensorRate(Op):
    """One step of AdamW for many parameters, with the learning rate in a tensor."""

    schema = f"_fused_adamw_.tensor_lr({_ADAM.format(lr='Tensor')}) -> ()"
    body = _adam(True)


class FusedAdamW(Op):
    """One step of AdamW for many parameters."""

    schema = f"_fused_adamw_({_ADAM.format(lr='float')}) -> ()"
    body = _adam(True)


class FusedSGDTensorRate(Op):
    """One step of SGD for many parameters, with the learning rate in a tensor."""

    schema = f"_fused_sgd_.tensor_lr({_SGD.format(lr='Tensor')}) -> ()"
    body = _sgd


class FusedSGD(Op):
    """One step of SGD for many parameters."""

    schema = f"_fused_sgd_({_SGD.format(lr='float')}) -> ()"
    body = _sgd


def _adagrad(self, grads, state_sums, state_steps, lr, lr_decay, weight_decay, eps, maximize, grad_scale, found_inf):
    _check_lists(self, grads=grads, state_sums=state_sums, state_steps=state_steps)
    if _have_no_values(self) or _skips(found_inf):
        return
    lr = _number(lr)
    _unscale(grads, grad_scale)
    run.adagrad_steps(self, grads, state_sums, [aten.item(t) for t in state_steps], lr, lr_decay, weight_decay, eps,
                      maximize)
    _count_writes(self, state_sums)


class FusedAdagradTensorRate(Op):
    """One step of Adagrad for many parameters, with the learning rate in a tensor."""

    schema = f"_fused_adagrad_.tensor_lr({_ADAGRAD.format(lr='Tensor', steps='Tensor[]')}) -> ()"
    body = _adagrad


class FusedAdagrad(Op):
    """One step of Adagrad for many parameters."""

    schema = f"_fused_adagrad_({_ADAGRAD.format(lr='float', steps='Tensor(d!)[]')}) -> ()"
    body = _adagrad
