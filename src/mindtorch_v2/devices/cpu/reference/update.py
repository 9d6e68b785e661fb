"""The arithmetic of optimisers; out may be self."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray


def _gradient(param: Array, grad: Array, weight_decay: float, maximize: bool) -> Array:
    """What is descended: the gradient, its sign turned to ascend, with weight decay."""
    g = -grad if maximize else grad
    return g + weight_decay * param if weight_decay else g


@halves_in_float32(outs=1)
def addcmul(out: Array, self: Array, tensor1: Array, tensor2: Array, value: float) -> None:
    """self + value * tensor1 * tensor2."""
    out[...] = self + value * tensor1 * tensor2


@halves_in_float32(outs=1)
def addcdiv(out: Array, self: Array, tensor1: Array, tensor2: Array, value: float) -> None:
    """self + value * tensor1 / tensor2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out[...] = self + value * tensor1 / tensor2


@halves_in_float32(outs=1)
def lerp_scalar(out: Array, self: Array, end: Array, weight: float) -> None:
    """From self to end, by weight."""
    # torch's two formulas: whichever end is nearer is met exactly
    out[...] = self + weight * (end - self) if abs(weight) < 0.5 else end - (end - self) * (1 - weight)


@halves_in_float32(outs=1)
def lerp_tensor(out: Array, self: Array, end: Array, weight: Array) -> None:
    """From self to end, by the weight of each element."""
    out[...] = np.where(np.abs(weight) < 0.5, self + weight * (end - self), end - (end - self) * (1 - weight))


@halves_in_float32(outs=1)
def axpy(out: Array, self: Array, other: Array, alpha: float) -> None:
    """self + alpha * other."""
    out[...] = self + alpha * other


@halves_in_float32(outs=5)
def fused_adam(param: Array, grad: Array, exp_avg: Array, exp_avg_sq: Array, max_exp_avg_sq: Array | None, lr: float,
               beta1: float, beta2: float, weight_decay: float, eps: float, amsgrad: bool, maximize: bool,
               decoupled: bool, step: float) -> None:
    """One step of Adam; `decoupled` is AdamW's weight decay, `step` counts from 1."""
    g = _gradient(param, grad, 0 if decoupled else weight_decay, maximize)
    if decoupled:
        param *= 1 - lr * weight_decay
    lerp_scalar(exp_avg, exp_avg, g, 1 - beta1)
    exp_avg_sq[...] = exp_avg_sq * beta2 + (1 - beta2) * g * g
    spread = exp_avg_sq
    if amsgrad and max_exp_avg_sq is not None:
        spread = np.maximum(max_exp_avg_sq, spread, out=max_exp_avg_sq)
    param -= lr / (1 - beta1**step) * exp_avg / (np.sqrt(spread) / float(np.sqrt(1 - beta2**step)) + eps)


@halves_in_float32(outs=3)
def fused_sgd(param: Array, grad: Array, momentum_buffer: Array | None, weight_decay: float, momentum: float,
              lr: float, dampening: float, nesterov: bool, maximize: bool, is_first_step: bool) -> None:
    """One step of SGD; the first one fills the momentum buffer."""
    g = _gradient(param, grad, weight_decay, maximize)
    if momentum_buffer is not None:
        momentum_buffer[...] = g if is_first_step else momentum_buffer * momentum + g * (1 - dampening)
        g = g + momentum * momentum_buffer if nesterov else momentum_buffer
    param -= lr * g


@halves_in_float32(outs=3)
def fused_adagrad(param: Array, grad: Array, state_sum: Array, lr: float, lr_decay: float, weight_decay: float,
                  eps: float, maximize: bool, step: float) -> None:
    """One step of Adagrad; `step` counts from 1."""
    g = _gradient(param, grad, weight_decay, maximize)
    state_sum += g * g
    param -= lr / (1 + (step - 1) * lr_decay) * g / (np.sqrt(state_sum) + eps)
