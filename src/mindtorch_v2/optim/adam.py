"""Adam: steps measured by running averages of the gradient and of its square."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check, check_fused
from .rule import Rule, column, count, decay, decayed, new_step, number, real, real_lists, uncount, zeros_like


class Adam(Rule):
    """``p -= lr * m / (sqrt(v) + eps)``, where ``m`` and ``v`` are corrected for having started at zero."""

    added = {"amsgrad": False, "maximize": False, "foreach": None, "capturable": False, "differentiable": False,
             "fused": None, "decoupled_weight_decay": False}
    no_sparse = "Adam does not support sparse gradients, please consider SparseAdam instead"

    def __init__(self, params, lr: float | Tensor = 1e-3, betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0, amsgrad: bool = False, *, foreach: bool | None = None,
                 maximize: bool = False, capturable: bool = False, differentiable: bool = False,
                 fused: bool | None = None, decoupled_weight_decay: bool = False):
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                        foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                        decoupled_weight_decay=decoupled_weight_decay)
        _check_tensors(defaults)
        check(defaults, "lr eps betas weight_decay")
        super().__init__(params, defaults)
        check_fused(defaults)
        if fused:
            self._step_supports_amp_scaling = True  # a GradScaler leaves it to the step to take its scale out

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = new_step(group)
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), eps = group["lr"], group["betas"], group["eps"]
        weight_decay, amsgrad, maximize = group["weight_decay"], group["amsgrad"], group["maximize"]
        decoupled, differentiable = group["decoupled_weight_decay"], group["differentiable"]
        tensor_betas = isinstance(beta2, Tensor)
        tensor_options = tensor_betas or isinstance(lr, Tensor)
        for p, grad, state in zip(params, grads, states):
            step, mean, square = state["step"], state["exp_avg"], state["exp_avg_sq"]
            highest = state["max_exp_avg_sq"] if amsgrad else None
            if maximize:
                grad = -grad
            step.add_(1)
            if weight_decay != 0:
                if decoupled:
                    p.mul_(1 - lr * weight_decay)
                else:
                    grad = decayed(grad, p, weight_decay)
            if p.is_complex():
                grad, mean, square, *rest = real(grad, mean, square, *([highest] if amsgrad else []), p)
                highest, p = rest if amsgrad else (None, rest[0])
            mean.lerp_(grad, 1 - beta1)
            if tensor_betas:
                _average_square(square, grad, beta2)
            else:
                square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            if differentiable:
                _differentiable_update(p, mean, square, highest, step, group)
                continue
            steps = step.item()
            first, second = 1 - beta1**steps, 1 - beta2**steps
            step_size, correction = lr / first, second**0.5
            if amsgrad:
                torch.maximum(highest, square, out=highest)
                square = highest
            denominator = (square.sqrt() / correction).add_(eps)
            p.addcdiv_(mean, denominator, value=number(-step_size) if tensor_options else -step_size)

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), maximize = number(group["lr"]), group["betas"], group["maximize"]
        steps = column(states, "step")
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * group["amsgrad"]
        params, grads, means, squares, *rest = real_lists(params, grads, *(column(states, name) for name in names))
        if maximize:
            grads = torch._foreach_neg(grads)
        count(steps)
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                torch._foreach_mul_(params, 1 - lr * group["weight_decay"])
            else:
                grads = decay(grads, params, number(group["weight_decay"]), maximize)
        torch._foreach_lerp_(means, grads, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, grads, grads, 1 - beta2)
        first = [1 - beta1 ** step.item() for step in steps]
        second = [(1 - beta2 ** step.item()) ** 0.5 for step in steps]
        if rest:
            torch._foreach_maximum_(rest[0], squares)
            squares = rest[0]
        denominators = torch._foreach_sqrt(squares)
        torch._foreach_div_(denominators, second)
        torch._foreach_add_(denominators, group["eps"])
        torch._foreach_addcdiv_(params, means, denominators, [-(lr / correction) for correction in first])

    def _fused(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        steps = column(states, "step")
        highest = column(states, "max_exp_avg_sq") if group["amsgrad"] else []
        scaling = self._scaling(params)
        torch._foreach_add_(steps, 1)
        update = torch._fused_adamw_ if group["decoupled_weight_decay"] else torch._fused_adam_
        update(params, grads, column(states, "exp_avg"), column(states, "exp_avg_sq"), highest, steps, lr=group["lr"],
               beta1=number(group["betas"][0]), beta2=number(group["betas"][1]), weight_decay=group["weight_decay"],
               eps=group["eps"], amsgrad=group["amsgrad"], maximize=group["maximize"], **scaling)
        uncount(steps, scaling["found_inf"])


def _check_tensors(options: dict[str, Any]) -> None:
    """Options that are tensors need a form that can take them."""
    if isinstance(options["lr"], Tensor):
        if options["foreach"] and not options["capturable"]:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        if options["lr"].numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
    betas = options["betas"]
    tensors = [isinstance(beta, Tensor) for beta in betas]
    if any(tensors) and not all(tensors):
        raise ValueError("betas must be either both floats or both Tensors")
    for i, beta in enumerate(betas):
        if not isinstance(beta, Tensor):
            continue
        if options["foreach"] and not options["capturable"]:
            raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        if beta.numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")


def _average_square(square: Tensor, grad: Tensor, beta2: Tensor) -> None:
    if beta2.requires_grad:
        square.lerp_(grad.square(), 1 - beta2)
    else:
        square.mul_(beta2).addcmul_(grad, grad, value=(1 - beta2).item())


def _differentiable_update(p: Tensor, mean: Tensor, square: Tensor, highest: Tensor | None, step: Tensor,
                           group: dict[str, Any]) -> None:
    """The same step without reading a number, and without writing what the graph still needs."""
    first = 1 - _power(group["betas"][0], step)
    second = 1 - _power(group["betas"][1], step)
    step_size = (group["lr"] / first).neg()
    correction = second.sqrt()
    if highest is not None:
        highest.copy_(torch.maximum(highest.clone(), square))
        square = highest
    denominator = (square.sqrt() / (correction * step_size)).add_(group["eps"] / step_size)
    p.addcdiv_(mean.clone(), denominator)


def _power(beta, step: Tensor) -> Tensor:
    """The step count will be written again: where its old value is needed for a derivative, it is copied."""
    return beta ** (step.clone() if isinstance(beta, Tensor) and beta.requires_grad else step)
