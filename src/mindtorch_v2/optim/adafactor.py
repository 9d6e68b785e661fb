"""Adafactor: steps measured by squared gradients of which only sums over rows and columns are kept."""

from __future__ import annotations

from typing import Any

from ..api.functions import torch
from ..core.dtype import finfo
from ..core.tensor import Tensor
from .options import check_tensor_lr
from .rule import Rule, column, count, new_step, number


class Adafactor(Rule):
    """For a matrix, the average of squares is the product of a column and a row; a vector keeps its own."""

    added = {"foreach": None}

    def __init__(self, params, lr: float | Tensor = 1e-2, beta2_decay: float = -0.8,
                 eps: tuple[float | None, float] = (None, 1e-3), d: float = 1.0, weight_decay: float = 0.0, *,
                 foreach: bool | None = None, maximize: bool = False):
        check_tensor_lr(lr)
        checks = [(lr, "Learning rate"), (eps[0] or 0, "epsilon1"), (eps[1], "epsilon2"),
                  (weight_decay, "weight_decay")]
        for value, name in checks:
            if not 0.0 <= value:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay,
                                      foreach=foreach, maximize=maximize))

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        if p.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        grad = p.grad
        state["step"] = new_step(group)
        if grad.dim() > 1:
            state["row_var"] = grad.new_zeros((*grad.shape[:-1], 1))
            state["col_var"] = grad.new_zeros((*grad.shape[:-2], 1, grad.shape[-1]))
        else:
            state["variance"] = torch.zeros_like(grad)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        for p, grad, state in zip(params, grads, states):
            if group["maximize"]:
                grad = -grad
            state["step"].add_(1)
            rates = _Rates(group, p, state["step"].item())
            if group["weight_decay"] != 0:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            if grad.dim() > 1:
                rows, columns = state["row_var"], state["col_var"]
                mean = torch.linalg_vector_norm(grad, dim=-1, keepdim=True).square_().div_(grad.size(-1))
                rows.lerp_(mean, rates.share)
                mean = torch.linalg_vector_norm(grad, dim=-2, keepdim=True).square_().div_(grad.size(-2))
                columns.lerp_(mean, rates.share)
                estimate = rows @ columns
                estimate.div_(rows.mean(dim=-2, keepdim=True).clamp_(min=rates.eps))
            else:
                state["variance"].lerp_(grad * grad, rates.share)
                estimate = state["variance"].clone()
            update = estimate.clamp_(min=rates.eps * rates.eps).rsqrt_()
            update.mul_(grad)
            excess = _excess(update, group["d"])
            p.add_(update, alpha=number(-rates.alpha / excess))

    def _update(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        """List ops want matrices and vectors apart."""
        if not group["foreach"]:
            super()._update(group, params, grads, states)
            return
        for matrices in (True, False):
            chosen = [i for i, grad in enumerate(grads) if (grad.dim() > 1) is matrices]
            if chosen:
                lists = ([values[i] for i in chosen] for values in (params, grads, states))
                super()._update(group, *lists)

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        if group["maximize"]:
            grads = torch._foreach_neg(grads)
        steps = column(states, "step")
        count(steps)
        shares = [step.item() ** group["beta2_decay"] for step in steps]
        counts = [step.item() for step in steps]
        limits = [min(group["lr"], 1 / step.item() ** 0.5) for step in steps]
        rates = [_Rates(group, p, n, limit) for p, n, limit in zip(params, counts, limits)]
        if group["weight_decay"] != 0:
            torch._foreach_mul_(params, 1 - group["lr"] * group["weight_decay"])
        if grads[0].dim() > 1:
            rows, columns = column(states, "row_var"), column(states, "col_var")
            for sums, dim in ((rows, -1), (columns, -2)):
                means = [torch.linalg_vector_norm(grad, dim=dim, keepdim=True) for grad in grads]
                torch._foreach_mul_(means, means)
                torch._foreach_div_(means, [float(grad.size(dim)) for grad in grads])
                torch._foreach_lerp_(sums, means, shares)
            estimates = [row @ one for row, one in zip(rows, columns)]
            means = [row.mean(dim=-2, keepdim=True) for row in rows]
            torch._foreach_clamp_min_(means, rates[0].eps)
            torch._foreach_div_(estimates, means)
        else:
            variances = column(states, "variance")
            torch._foreach_lerp_(variances, torch._foreach_mul(grads, grads), shares)
            estimates = [variance.clone() for variance in variances]
        torch._foreach_clamp_min_(estimates, rates[0].eps * rates[0].eps)
        torch._foreach_rsqrt_(estimates)
        torch._foreach_mul_(estimates, grads)
        torch._foreach_mul_(estimates, [-rate.alpha / _excess(update, group["d"])
                                           for rate, update in zip(rates, estimates)])
        torch._foreach_add_(params, estimates)


class _Rates:
    """What a step of one parameter is measured by: its own size, and how many steps were made."""

    def __init__(self, group: dict[str, Any], p: Tensor, step: float, limit: float | Tensor | None = None):
        self.share = step ** group["beta2_decay"]  # of this step's squares in their average
        least, smallest = group["eps"]
        self.eps = finfo(p.dtype).eps if least is None else least
        limit = min(group["lr"], 1 / step ** 0.5) if limit is None else limit
        self.alpha = max(smallest, p.norm(2).item() / p.numel() ** 0.5) * limit


def _excess(update: Tensor, threshold: float) -> float:
    """By how much an update is too large for its number of weights; one, where it is not."""
    return max(1.0, update.norm(2).item() / (update.numel() ** 0.5 * threshold))
