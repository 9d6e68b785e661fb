"""Muon: the momentum of a matrix, made orthogonal, is the direction of its step."""

from __future__ import annotations

import math
from typing import Any

from ..api.functions import torch
from ..core import dtype as dtypes
from ..core.device import preserve_format
from ..core.tensor import Tensor
from .options import check_tensor_lr
from .rule import Rule, number

MOST_NS_STEPS = 100
# How the learning rate of a matrix follows from its size.
ADJUSTED = {
    None: lambda rows, columns: math.sqrt(max(1, rows / columns)),
    "original": lambda rows, columns: math.sqrt(max(1, rows / columns)),
    "match_rms_adamw": lambda rows, columns: 0.2 * math.sqrt(max(rows, columns)),
}


class Muon(Rule):
    """``p -= lr * orthogonal(momentum)`` by some steps of Newton and Schulz; for matrices only."""

    def __init__(self, params, lr: float = 1e-3, weight_decay: float = 0.1, momentum: float = 0.95,
                 nesterov: bool = True, ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
                 eps: float = 1e-7, ns_steps: int = 5, adjust_lr_fn: str | None = None):
        check_tensor_lr(lr)
        for value, name in ((lr, "Learning rate"), (momentum, "momentum"), (weight_decay, "weight decay")):
            if not 0.0 <= value:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in ADJUSTED:
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov,
                                      ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps,
                                      adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError("Muon only supports 2D parameters whereas we found a parameter with size: "
                                     f"{p.size()}")

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        if p.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        state["momentum_buffer"] = torch.zeros_like(p.grad, memory_format=preserve_format)

    def _update(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        self._single(group, params, grads, states)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        momentum, lr = group["momentum"], group["lr"]
        for p, grad, state in zip(params, grads, states):
            buffer = state["momentum_buffer"]
            buffer.lerp_(grad, 1 - momentum)
            update = grad.lerp(buffer, momentum) if group["nesterov"] else buffer
            update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
            rate = lr * ADJUSTED[group["adjust_lr_fn"]](*p.shape[:2])
            p.mul_(1 - lr * group["weight_decay"])
            p.add_(update, alpha=number(-rate))


def _orthogonal(matrix: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float) -> Tensor:
    """A matrix with singular values near one, in bfloat16, along the shorter of its sides."""
    if steps >= MOST_NS_STEPS:
        raise ValueError(f"Number of steps must be less than {MOST_NS_STEPS} for computational efficiency")
    if matrix.ndim != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    first, second, third = coefficients
    iterate = matrix.to(dtypes.bfloat16)
    is_tall = matrix.size(0) > matrix.size(1)
    if is_tall:
        iterate = iterate.T
    iterate.div_(iterate.norm().clamp(min=eps))
    for _ in range(steps):
        gram = iterate @ iterate.T
        factor = torch.addmm(gram, gram, gram, beta=second, alpha=third)
        iterate = torch.addmm(iterate, factor, iterate, beta=first)
    return iterate.T if is_tall else iterate
