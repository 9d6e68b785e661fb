"""Adagrad: every weight's step shrinks with the squares of all its gradients so far."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.device import preserve_format
from ..core.sparse import is_coo
from ..core.tensor import Tensor
from .options import check, check_fused
from .rule import Rule, column, count, decay, new_step, number, real, real_lists, uncount


class Adagrad(Rule):
    """``p -= lr * grad / (sqrt(sum of squares) + eps)``."""

    added = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}
    takes_sparse = True

    def __init__(self, params, lr: float | Tensor = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
                 initial_accumulator_value: float = 0, eps: float = 1e-10, foreach: bool | None = None, *,
                 maximize: bool = False, differentiable: bool = False, fused: bool | None = None):
        defaults = dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                        initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                        differentiable=differentiable, fused=fused)
        check(defaults, "lr lr_decay weight_decay initial_accumulator_value eps")
        super().__init__(params, defaults)
        check_fused(defaults)
        if fused:
            self._step_supports_amp_scaling = True  # a GradScaler leaves it to the step to take its scale out
        for group in self.param_groups:
            for p in group["params"]:
                self._new_state(self.state[p], p, group)

    def share_memory(self) -> None:
        """Let other processes see the sums."""
        for state in self.state.values():
            state["sum"].share_memory_()

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = new_step(group)
        first = group["initial_accumulator_value"]
        state["sum"] = torch.full_like(p, complex(first, first) if p.is_complex() else first,
                                       memory_format=preserve_format)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, lr_decay, eps = group["lr"], group["lr_decay"], group["eps"]
        weight_decay, maximize, differentiable = group["weight_decay"], group["maximize"], group["differentiable"]
        for p, grad, state in zip(params, grads, states):
            total = state["sum"]
            state["step"].add_(1)
            step = state["step"].item()
            if maximize:
                grad = -grad
            if weight_decay != 0:
                if is_coo(grad):
                    raise RuntimeError("weight_decay option is not compatible with sparse gradients")
                grad = grad.add(p, alpha=weight_decay)
            rate = lr / (1 + (step - 1) * lr_decay)
            if is_coo(grad):
                _step_sparse(p, grad, total, rate, eps)
                continue
            if p.is_complex():
                grad, total, p = real(grad, total, p)
            total.addcmul_(grad, grad, value=1)
            root = total.sqrt()
            root = root.add(eps) if differentiable else root.add_(eps)
            p.addcdiv_(grad, root, value=number(-rate))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, lr_decay, maximize = group["lr"], group["lr_decay"], group["maximize"]
        steps = column(states, "step")
        params, grads, totals = real_lists(params, grads, column(states, "sum"))
        if maximize:
            grads = torch._foreach_neg(grads)
        count(steps)
        if group["weight_decay"] != 0:
            grads = decay(grads, params, group["weight_decay"], maximize)
        rates = [-lr / (1 + (step.item() - 1) * lr_decay) for step in steps]
        torch._foreach_addcmul_(totals, grads, grads, value=1)
        roots = torch._foreach_sqrt(totals)
        torch._foreach_add_(roots, group["eps"])
        if group["weight_decay"] != 0 or maximize:
            torch._foreach_mul_(grads, rates)
        else:
            grads = torch._foreach_mul(grads, rates)
        torch._foreach_addcdiv_(params, grads, roots)

    def _fused(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        steps = column(states, "step")
        scaling = self._scaling(params)
        torch._foreach_add_(steps, 1)
        torch._fused_adagrad_(params, grads, column(states, "sum"), steps, lr=group["lr"], lr_decay=group["lr_decay"],
                              weight_decay=group["weight_decay"], eps=group["eps"], maximize=group["maximize"],
                              **scaling)
        uncount(steps, scaling["found_inf"])


def _step_sparse(p: Tensor, grad: Tensor, total: Tensor, rate: float, eps: float) -> None:
    """The same for the rows that a sparse gradient has."""
    grad = grad.coalesce()
    indices, values = grad._indices(), grad._values()
    total.add_(torch.sparse_coo_tensor(indices, values.pow(2), grad.size()))
    masked = total.sparse_mask(grad)
    root = masked._values().sqrt_().add_(eps)
    p.add_(torch.sparse_coo_tensor(indices, values / root, grad.size()), alpha=-rate)
