"""Stochastic gradient descent, with momentum and Nesterov's variant."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check, check_fused
from .rule import Rule, column, decay, decayed, number


class SGD(Rule):
    """``p -= lr * v`` with ``v = momentum * v + (1 - dampening) * grad``."""

    added = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False}
    takes_sparse = True
    foreach_knows_differentiable = True  # torch's list form says nothing against it

    def __init__(self, params, lr: float | Tensor = 1e-3, momentum: float = 0, dampening: float = 0,
                 weight_decay: float | Tensor = 0, nesterov: bool = False, *, maximize: bool = False,
                 foreach: bool | None = None, differentiable: bool = False, fused: bool | None = None):
        defaults = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                        maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused)
        check(defaults, "lr momentum weight_decay")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        check_fused(defaults)
        if fused:
            self._step_supports_amp_scaling = True  # a GradScaler leaves it to the step to take its scale out

    def _gather(self, group: dict[str, Any]) -> tuple[list, list, list]:
        """Without momentum there is no state, not even an empty one."""
        if group["momentum"] != 0:
            return super()._gather(group)
        params = [p for p in group["params"] if p.grad is not None]
        return params, [p.grad for p in params], [None] * len(params)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, weight_decay, momentum = group["lr"], group["weight_decay"], group["momentum"]
        dampening, nesterov, maximize = group["dampening"], group["nesterov"], group["maximize"]
        fixed_lr = -lr if not isinstance(lr, Tensor) else None
        for p, grad, state in zip(params, grads, states):
            if maximize:
                grad = -grad
            if weight_decay != 0:
                grad = decayed(grad, p, weight_decay)
            if momentum != 0:
                buffer = state.get("momentum_buffer")
                if buffer is None:
                    buffer = state["momentum_buffer"] = grad.detach().clone()
                else:
                    buffer.mul_(momentum).add_(grad, alpha=1 - dampening)
                grad = grad.add(buffer, alpha=momentum) if nesterov else buffer
            if fixed_lr is not None:
                p.add_(grad, alpha=fixed_lr)
            elif lr.requires_grad:
                p.addcmul_(grad, lr, value=-1)
            else:
                p.add_(grad, alpha=number(-lr))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        momentum, maximize = group["momentum"], group["maximize"]
        if maximize:
            grads = torch._foreach_neg(grads)
        if group["weight_decay"] != 0:
            grads = decay(grads, params, number(group["weight_decay"]), maximize)
        if momentum != 0:
            buffers = _momentum(grads, states, momentum, 1 - group["dampening"])
            if group["nesterov"]:
                torch._foreach_add_(grads, buffers, alpha=momentum)
            else:
                grads = buffers
        torch._foreach_add_(params, grads, alpha=number(-group["lr"]))

    def _fused(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        buffers, first = [], False
        if group["momentum"] != 0:
            first = all(not state for state in states)
            if first:
                for grad, state in zip(grads, states):
                    state["momentum_buffer"] = torch.empty_like(grad)
            buffers = column(states, "momentum_buffer")
        torch._fused_sgd_(params, grads, buffers, weight_decay=number(group["weight_decay"]),
                          momentum=group["momentum"], lr=group["lr"], dampening=group["dampening"],
                          nesterov=group["nesterov"], maximize=group["maximize"], is_first_step=first,
                          **self._scaling(params))


def _momentum(grads: list, states: list, momentum: float, share: float) -> list:
    """The velocities after this step's gradients; a parameter's first gradient is its first velocity."""
    buffers = [state.get("momentum_buffer") for state in states]
    if all(buffer is not None for buffer in buffers):
        torch._foreach_mul_(buffers, momentum)
        torch._foreach_add_(buffers, grads, alpha=share)
        return buffers
    for i, (grad, buffer, state) in enumerate(zip(grads, buffers, states)):
        if buffer is None:
            buffers[i] = state["momentum_buffer"] = grad.detach().clone()
        else:
            buffer.mul_(momentum).add_(grad, alpha=share)
    return buffers
