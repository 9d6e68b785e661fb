"""Adadelta: steps in the units of the weights, from running averages of squared gradients and squared steps."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, number, real, real_lists, scalar_dtype, zeros_like


class Adadelta(Rule):
    """``p -= lr * grad * rms(steps) / rms(gradients)``."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}
    captures_on_xla = False

    def __init__(self, params, lr: float | Tensor = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0,
                 foreach: bool | None = None, *, capturable: bool = False, maximize: bool = False,
                 differentiable: bool = False):
        defaults = dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                        foreach=foreach, differentiable=differentiable)
        check(defaults, "lr rho eps weight_decay")
        super().__init__(params, defaults)

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = torch.zeros((), dtype=scalar_dtype())
        state["square_avg"] = zeros_like(p)
        state["acc_delta"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, rho, eps = group["lr"], group["rho"], group["eps"]
        weight_decay, maximize, differentiable = group["weight_decay"], group["maximize"], group["differentiable"]
        for p, grad, state in zip(params, grads, states):
            square, moved = state["square_avg"], state["acc_delta"]
            state["step"].add_(1)
            if maximize:
                grad = -grad
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            if p.is_complex():
                square, moved, grad = real(square, moved, grad)
            square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
            root = square.add(eps).sqrt_()
            delta = moved.add(eps).sqrt_()
            if differentiable:
                delta = delta.clone()
            delta.div_(root).mul_(grad)
            moved.mul_(rho).addcmul_(delta, delta, value=1 - rho)
            if p.is_complex():
                delta = torch.view_as_complex(delta)
            p.add_(delta, alpha=number(-lr))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        rho, eps, maximize = group["rho"], group["eps"], group["maximize"]
        params, grads, squares, moved = real_lists(params, grads, column(states, "square_avg"),
                                                   column(states, "acc_delta"))
        count(column(states, "step"))
        if maximize:
            grads = torch._foreach_neg(grads)
        if group["weight_decay"] != 0:
            grads = decay(grads, params, group["weight_decay"], maximize)
        torch._foreach_mul_(squares, rho)
        torch._foreach_addcmul_(squares, grads, grads, value=1 - rho)
        roots = torch._foreach_add(squares, eps)
        torch._foreach_sqrt_(roots)
        deltas = torch._foreach_add(moved, eps)
        torch._foreach_sqrt_(deltas)
        torch._foreach_div_(deltas, roots)
        torch._foreach_mul_(deltas, grads)
        torch._foreach_mul_(moved, rho)
        torch._foreach_addcmul_(moved, deltas, deltas, value=1 - rho)
        torch._foreach_add_(params, deltas, alpha=number(-group["lr"]))
