"""Resilient backpropagation: every weight has a step size, and of its gradient only the sign counts."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.device import preserve_format
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, number, real, real_lists, scalar_dtype, zeros_like


class Rprop(Rule):
    """A step size grows by ``etas[1]`` while a gradient keeps its sign; it shrinks by ``etas[0]`` when that changes."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(self, params, lr: float | Tensor = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
                 step_sizes: tuple[float, float] = (1e-6, 50), *, capturable: bool = False, foreach: bool | None = None,
                 maximize: bool = False, differentiable: bool = False):
        defaults = dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
                        differentiable=differentiable, capturable=capturable)
        check(defaults, "lr")
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, defaults)

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = torch.zeros((), dtype=scalar_dtype())
        state["prev"] = zeros_like(p)
        lr = number(group["lr"])
        state["step_size"] = torch.full_like(p.grad, complex(lr, lr) if p.is_complex() else lr)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        (shrink, grow), (smallest, largest) = group["etas"], group["step_sizes"]
        for p, grad, state in zip(params, grads, states):
            before, size = state["prev"], state["step_size"]
            if group["maximize"]:
                grad = -grad
            state["step"].add_(1)
            if p.is_complex():
                grad, before, p, size = real(grad, before, p, size)
            change = grad.mul(before.clone() if group["differentiable"] else before).sign()
            _factors(change, shrink, grow)
            size.mul_(change).clamp_(smallest, largest)
            grad = grad.clone(memory_format=preserve_format)
            grad[change.eq(shrink)] = 0  # a weight whose gradient has just turned waits
            p.addcmul_(grad.sign(), size, value=-1)
            before.copy_(grad)

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        (shrink, grow), (smallest, largest) = group["etas"], group["step_sizes"]
        count(column(states, "step"))
        grads, before, params, sizes = real_lists(grads, column(states, "prev"), params, column(states, "step_size"))
        changes = torch._foreach_mul(grads, before)
        if group["maximize"]:
            torch._foreach_neg_(changes)
        torch._foreach_copy_(before, grads)
        if group["maximize"]:
            torch._foreach_neg_(before)
        torch._foreach_sign_(changes)
        for change in changes:
            _factors(change, shrink, grow)
        torch._foreach_mul_(sizes, changes)
        for size in sizes:
            size.clamp_(smallest, largest)
        for change, grad in zip(changes, before):
            grad.copy_(torch.where(change.eq(shrink), 0, grad))
        torch._foreach_addcmul_(params, [grad.sign() for grad in before], sizes, value=-1)


def _factors(signs: Tensor, shrink: float, grow: float) -> None:
    """From the signs of a change to the factors of a step size, in place."""
    signs[signs.gt(0)] = grow
    signs[signs.lt(0)] = shrink
    signs[signs.eq(0)] = 1
