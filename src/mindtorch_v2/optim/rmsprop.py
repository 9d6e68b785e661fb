"""RMSprop: steps measured by a running average of squared gradients."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, number, real, real_lists, scalar_dtype, zeros_like


class RMSprop(Rule):
    """``p -= lr * grad / (sqrt(average of squares) + eps)``, optionally centred and with momentum."""

    added = {"momentum": 0, "centered": False, "foreach": None, "maximize": False, "differentiable": False,
             "capturable": False}

    def __init__(self, params, lr: float | Tensor = 1e-2, alpha: float = 0.99, eps: float = 1e-8,
                 weight_decay: float = 0, momentum: float = 0, centered: bool = False, capturable: bool = False,
                 foreach: bool | None = None, maximize: bool = False, differentiable: bool = False):
        defaults = dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                        capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable)
        check(defaults, "lr eps momentum weight_decay alpha")
        super().__init__(params, defaults)

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = torch.zeros((), dtype=scalar_dtype())
        state["square_avg"] = zeros_like(p)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, alpha, eps, momentum = group["lr"], group["alpha"], group["eps"], group["momentum"]
        weight_decay, centered, maximize = group["weight_decay"], group["centered"], group["maximize"]
        for p, grad, state in zip(params, grads, states):
            square, mean, buffer = state["square_avg"], state.get("grad_avg"), state.get("momentum_buffer")
            if maximize:
                grad = -grad
            state["step"].add_(1)
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            if p.is_complex():
                p, grad, square = real(p, grad, square)
                mean, buffer = (t if t is None else torch.view_as_real(t) for t in (mean, buffer))
            square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
            if centered:
                mean.lerp_(grad, 1 - alpha)
                root = square.addcmul(mean, mean, value=-1).sqrt_()
            else:
                root = square.sqrt()
            root = root.add(eps) if group["differentiable"] else root.add_(eps)
            if momentum > 0:
                buffer.mul_(momentum).addcdiv_(grad, root)
                p.add_(buffer, alpha=number(-lr))
            else:
                p.addcdiv_(grad, root, value=number(-lr))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        alpha, momentum, maximize = group["alpha"], group["momentum"], group["maximize"]
        names = ["square_avg"] + ["momentum_buffer"] * (momentum > 0) + ["grad_avg"] * group["centered"]
        lists = real_lists(params, grads, *(column(states, name) for name in names))
        params, grads, squares = lists[:3]
        if maximize:
            grads = torch._foreach_neg(grads)
        count(column(states, "step"))
        if group["weight_decay"] != 0:
            grads = decay(grads, params, group["weight_decay"], maximize)
        torch._foreach_mul_(squares, alpha)
        torch._foreach_addcmul_(squares, grads, grads, value=1 - alpha)
        if group["centered"]:
            means = lists[-1]
            torch._foreach_lerp_(means, grads, 1 - alpha)
            roots = torch._foreach_addcmul(squares, means, means, value=-1)
            torch._foreach_sqrt_(roots)
        else:
            roots = torch._foreach_sqrt(squares)
        torch._foreach_add_(roots, group["eps"])
        if momentum > 0:
            buffers = lists[3]
            torch._foreach_mul_(buffers, momentum)
            torch._foreach_addcdiv_(buffers, grads, roots)
            torch._foreach_add_(params, buffers, alpha=number(-group["lr"]))
        else:
            torch._foreach_addcdiv_(params, grads, roots, value=number(-group["lr"]))
