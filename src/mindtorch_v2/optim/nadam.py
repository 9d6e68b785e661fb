"""NAdam: Adam with Nesterov's look ahead."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from .options import check
from .rule import Rule, column, count, decay, new_step, number, real, real_lists, scalar_dtype, zeros_like


class NAdam(Rule):
    """Adam whose momentum ``mu`` grows with the steps and is applied one step ahead."""

    added = {"maximize": False, "foreach": None, "capturable": False, "differentiable": False,
             "decoupled_weight_decay": False}
    captured = "params, mu_products and state_steps"

    def __init__(self, params, lr: float | Tensor = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, momentum_decay: float = 4e-3, decoupled_weight_decay: bool = False, *,
                 foreach: bool | None = None, maximize: bool = False, capturable: bool = False,
                 differentiable: bool = False):
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                        decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
                        capturable=capturable, differentiable=differentiable)
        check(defaults, "lr eps betas weight_decay momentum_decay")
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for kept in self.state.values():
            if "mu_product" in kept and not isinstance(kept["mu_product"], Tensor):
                kept["mu_product"] = torch.tensor(kept["mu_product"], dtype=scalar_dtype())

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        state["step"] = new_step(group)
        captured = group["capturable"]
        state["mu_product"] = (torch.ones((), dtype=scalar_dtype()) if captured
                               else torch.tensor(1.0, dtype=scalar_dtype()))
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), eps, decay_rate = group["lr"], group["betas"], group["eps"], group["momentum_decay"]
        weight_decay, maximize = group["weight_decay"], group["maximize"]
        decoupled, differentiable = group["decoupled_weight_decay"], group["differentiable"]
        for p, grad, state in zip(params, grads, states):
            mean, square, product = state["exp_avg"], state["exp_avg_sq"], state["mu_product"]
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
            mu, mu_next = _momentum(beta1, step, decay_rate), _momentum(beta1, step + 1, decay_rate)
            product.mul_(mu)
            mean.lerp_(grad, 1 - beta1)
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
            denominator = square.div(1 - beta2**step).sqrt()
            if differentiable:
                denominator = denominator.add(eps)
                product_next = product * mu_next
                grad = grad * (-lr * (1 - mu) / (1 - product))
                mean = mean * (-lr * mu_next / (1 - product_next))
                p.addcdiv_(grad, denominator)
                p.addcdiv_(mean, denominator)
            else:
                product_next = product.item() * mu_next
                denominator.add_(eps)
                p.addcdiv_(grad, denominator, value=number(-lr * (1 - mu) / (1 - product.item())))
                p.addcdiv_(mean, denominator, value=number(-lr * mu_next / (1 - product_next)))

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        lr, (beta1, beta2), rate, maximize = group["lr"], group["betas"], group["momentum_decay"], group["maximize"]
        steps, products = column(states, "step"), column(states, "mu_product")
        averages = column(states, "exp_avg"), column(states, "exp_avg_sq")
        params, grads, means, squares = real_lists(params, grads, *averages)
        if maximize:
            grads = torch._foreach_neg(grads)
        count(steps)
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                torch._foreach_mul_(params, 1 - lr * group["weight_decay"])
            else:
                grads = decay(grads, params, group["weight_decay"], maximize)
        torch._foreach_lerp_(means, grads, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, grads, grads, 1 - beta2)
        denominators = torch._foreach_sqrt(squares)
        corrections = [(1 - beta2 ** step.item()) ** 0.5 for step in steps]
        mus = [_momentum(beta1, step.item(), rate) for step in steps]
        nexts = [_momentum(beta1, step.item() + 1, rate) for step in steps]
        torch._foreach_mul_(products, mus)
        torch._foreach_div_(denominators, corrections)
        torch._foreach_add_(denominators, group["eps"])
        by_grad = [-(number(lr) * (1 - mu) / (1 - product.item())) for product, mu in zip(products, mus)]
        by_mean = [-(number(lr) * mu / (1 - product.item() * mu)) for product, mu in zip(products, nexts)]
        torch._foreach_addcdiv_(params, grads, denominators, by_grad)
        torch._foreach_addcdiv_(params, means, denominators, by_mean)


def _momentum(beta1: float, step: float, momentum_decay: float) -> float:
    return beta1 * (1 - 0.5 * 0.96 ** (step * momentum_decay))
