"""Averaged stochastic gradient descent: beside the weights, their average over the steps."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, real, real_lists, scalar_dtype, zeros_like


class ASGD(Rule):
    """Gradient steps of shrinking size ``eta``; ``ax`` is the average of the weights since step ``t0``."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}
    captured = "params, mus, etas, and state_steps"

    def __init__(self, params, lr: float | Tensor = 1e-2, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
                 weight_decay: float = 0, foreach: bool | None = None, maximize: bool = False,
                 differentiable: bool = False, capturable: bool = False):
        defaults = dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach,
                        maximize=maximize, differentiable=differentiable, capturable=capturable)
        check(defaults, "lr weight_decay")
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for kept in self.state.values():
            for name in ("eta", "mu"):
                if name in kept and not isinstance(kept[name], Tensor):
                    kept[name] = torch.tensor(kept[name], dtype=scalar_dtype())

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = torch.zeros((), dtype=scalar_dtype())
        state["eta"] = torch.as_tensor(group["lr"], dtype=scalar_dtype()).clone().detach()
        state["mu"] = torch.ones((), dtype=scalar_dtype())
        state["ax"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lambd, weight_decay, maximize = group["lambd"], group["weight_decay"], group["maximize"]
        lr, alpha, t0 = group["lr"], group["alpha"], group["t0"]
        for p, grad, state in zip(params, grads, states):
            average, mu, eta, step = state["ax"], state["mu"], state["eta"], state["step"]
            if maximize:
                grad = -grad
            if p.is_complex():
                grad, p, average = real(grad, p, average)
            step.add_(1)
            if weight_decay != 0:
                grad = grad.add(p, alpha=weight_decay)
            rate = eta.item()
            p.mul_(1 - lambd * rate)
            p.add_(grad, alpha=-rate)
            if mu.item() != 1:
                average.add_(p.sub(average).mul_(mu))
            else:
                average.copy_(p)
            steps = step.item()
            eta.copy_(_scalar(lr / ((1 + lambd * lr * steps) ** alpha)))
            mu.copy_(_scalar(1 / max(1, steps - t0)))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        steps, etas, mus = (column(states, name) for name in ("step", "eta", "mu"))
        grads, params, averages = real_lists(grads, params, column(states, "ax"))
        if group["maximize"]:
            grads = torch._foreach_neg(grads)
        count(steps)
        lambd, weight_decay = group["lambd"], group["weight_decay"]
        if weight_decay != 0:
            grads = decay(grads, params, weight_decay, group["maximize"])
        grads = decay(grads, params, lambd, weight_decay != 0)
        torch._foreach_addcmul_(params, grads, etas, value=-1)
        torch._foreach_addcmul_(averages, torch._foreach_sub(params, averages), mus)
        lr, alpha, t0 = group["lr"], group["alpha"], group["t0"]
        new_etas = [_scalar(lr / ((1 + lambd * lr * step) ** alpha)) for step in steps]
        new_mus = [_scalar(1 / max(1, step.item() - t0)) for step in steps]
        torch._foreach_copy_(etas, new_etas)
        torch._foreach_copy_(mus, new_mus)


def _scalar(value) -> Tensor:
    return torch.as_tensor(value, dtype=scalar_dtype())
