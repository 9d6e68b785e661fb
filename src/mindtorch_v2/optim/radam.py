"""RAdam: Adam that trusts the average of squares only once it has seen enough of them."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, new_step, real, real_lists, zeros_like

TRUSTED = 5.0  # the length of the averaged sequence above which its variance is finite


class RAdam(Rule):
    """Momentum alone in the first steps, then Adam, rectified by how many squares were averaged."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "decoupled_weight_decay": False,
             "capturable": False}

    def __init__(self, params, lr: float | Tensor = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, decoupled_weight_decay: bool = False, *, foreach: bool | None = None,
                 maximize: bool = False, capturable: bool = False, differentiable: bool = False):
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                        capturable=capturable, decoupled_weight_decay=decoupled_weight_decay,
                        differentiable=differentiable)
        check(defaults, "lr eps betas weight_decay")
        super().__init__(params, defaults)

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = new_step(group)
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), eps = group["lr"], group["betas"], group["eps"]
        weight_decay, maximize, decoupled = group["weight_decay"], group["maximize"], group["decoupled_weight_decay"]
        longest = 2 / (1 - beta2) - 1
        for p, grad, state in zip(params, grads, states):
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            if maximize:
                grad = -grad
            if p.is_complex():
                p, grad, mean, square = real(p, grad, mean, square)
            state["step"].add_(1)
            step = state["step"].item()
            if weight_decay != 0:
                if decoupled:
                    p.mul_(1 - lr * weight_decay)
                else:
                    grad = grad.add(p, alpha=weight_decay)
            mean.lerp_(grad, 1 - beta1)
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            second = 1 - beta2**step
            move = mean / (1 - beta1**step) * lr
            length = longest - 2 * step * beta2**step / second
            if length > TRUSTED:
                root = square.sqrt()
                root = root.add(eps) if group["differentiable"] else root.add_(eps)
                move = move * (second**0.5 / root) * _rectified(length, longest)
            p.add_(move, alpha=-1)

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), maximize = group["lr"], group["betas"], group["maximize"]
        steps = column(states, "step")
        count(steps)
        averages = column(states, "exp_avg"), column(states, "exp_avg_sq")
        params, grads, means, squares = real_lists(params, grads, *averages)
        if maximize:
            grads = torch._foreach_neg(grads)
        longest = 2 / (1 - beta2) - 1
        lengths = [longest - 2 * s.item() * beta2 ** s.item() / (1 - beta2 ** s.item()) for s in steps]
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                torch._foreach_mul_(params, 1 - lr * group["weight_decay"])
            else:
                grads = decay(grads, params, group["weight_decay"], maximize)
        torch._foreach_lerp_(means, grads, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, grads, grads, 1 - beta2)
        plain, scale = _weights(lr, beta1, beta2, steps, [_rectified(n, longest) for n in lengths])
        factors = torch._foreach_sqrt(squares)
        torch._foreach_add_(factors, group["eps"])
        torch._foreach_div_(factors, scale)
        torch._foreach_reciprocal_(factors)
        torch._foreach_add_(factors, plain)
        torch._foreach_addcmul_(params, means, factors)


def _rectified(length: float, longest: float) -> float:
    """By how much to shorten a step that was measured by so short a sequence; nothing while it is not trusted."""
    if length <= TRUSTED:
        return 0
    return ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)) ** 0.5


def _weights(lr, beta1: float, beta2: float, steps: list[Tensor], shares: list[float]) -> tuple[list, list]:
    """What each mean is multiplied by: of the pair, one is zero, depending on whether its squares are trusted."""
    firsts = [1 - beta1 ** step.item() for step in steps]
    plain = [lr * (0 if share > 0 else 1.0) / first * -1 for share, first in zip(shares, firsts)]
    scale = [(1 - beta2 ** step.item()) ** 0.5 * (lr * share / first) * -1
             for step, share, first in zip(steps, shares, firsts)]
    return plain, scale
