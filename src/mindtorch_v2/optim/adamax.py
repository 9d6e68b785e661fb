"""Adamax: Adam measured by the largest gradient instead of the average square."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, new_step, number, real, real_lists, zeros_like


class Adamax(Rule):
    """``p -= lr * m / u``, where ``u`` is the largest gradient, fading by ``beta2`` each step."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(self, params, lr: float | Tensor = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, foreach: bool | None = None, *, maximize: bool = False,
                 differentiable: bool = False, capturable: bool = False):
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                        differentiable=differentiable, capturable=capturable)
        check(defaults, "lr eps betas weight_decay")
        super().__init__(params, defaults)

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = new_step(group)
        state["exp_avg"] = zeros_like(p)
        state["exp_inf"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), eps = group["lr"], group["betas"], group["eps"]
        weight_decay, maximize, differentiable = group["weight_decay"], group["maximize"], group["differentiable"]
        for p, grad, state in zip(params, grads, states):
            mean, largest = state["exp_avg"], state["exp_inf"]
            if maximize:
                grad = -grad
            state["step"].add_(1)
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            if p.is_complex():
                p, grad, mean, largest = real(p, grad, mean, largest)
            mean.lerp_(grad, 1 - beta1)
            if differentiable:
                faded = largest.mul_(beta2).unsqueeze(0)
                both = torch.cat([faded, grad.abs().add_(eps).unsqueeze_(0)], 0)
                largest.copy_(torch.amax(both, 0, keepdim=False))
            else:
                torch.maximum(largest.mul_(beta2), grad.abs().add_(eps), out=largest)
            rate = lr / (1 - beta1 ** state["step"].item())
            p.addcdiv_(mean, largest, value=number(-rate))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), maximize = group["lr"], group["betas"], group["maximize"]
        steps, weight_decay = column(states, "step"), group["weight_decay"]
        params, grads, means, largest = real_lists(params, grads, column(states, "exp_avg"), column(states, "exp_inf"))
        if maximize:
            grads = torch._foreach_neg(grads)
        count(steps)
        if weight_decay != 0:
            grads = decay(grads, params, weight_decay, maximize)
        torch._foreach_lerp_(means, grads, 1 - beta1)
        torch._foreach_mul_(largest, beta2)
        if maximize or weight_decay != 0:
            torch._foreach_abs_(grads)
        else:
            grads = torch._foreach_abs(grads)
        torch._foreach_add_(grads, group["eps"])
        torch._foreach_maximum_(largest, grads)
        firsts = [1 - beta1 ** step.item() for step in steps]
        torch._foreach_addcdiv_(params, means, largest, [-(number(lr) / first) for first in firsts])
