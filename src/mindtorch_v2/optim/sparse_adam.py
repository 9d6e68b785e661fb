"""SparseAdam: Adam for sparse gradients, which changes only the rows that got one."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..autograd.grad_mode import enable_grad, no_grad
from ..core.sparse import is_coo, is_sparse
from ..core.tensor import Tensor
from .optimizer import Optimizer
from .rule import scalar, zeros_like


class SparseAdam(Optimizer):
    """Adam whose averages move only where a gradient has elements."""

    def __init__(self, params, lr: float | Tensor = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 maximize: bool = False):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for i, beta in enumerate(betas[:2]):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        self._refuse("Sparse", is_sparse, "SparseAdam requires dense parameter tensors")
        self._refuse("Complex", Tensor.is_complex, "SparseAdam does not support complex parameters")

    def _refuse(self, word: str, is_so: Callable[[Tensor], bool], reason: str) -> None:
        places = [[i, j] for i, group in enumerate(self.param_groups)
                  for j, p in enumerate(group["params"]) if is_so(p)]
        if places:
            raise ValueError(f"{word} params at indices {places}: {reason}")

    @no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Change the rows of every parameter that got a gradient; a closure computes the loss anew first."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            states = [self._state_of(p) for p in params]
            for p, state in zip(params, states):
                _step(p, -p.grad if group.get("maximize") else p.grad, state, group)
        return loss

    def _state_of(self, p: Tensor) -> dict:
        if not is_coo(p.grad):
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        state = self.state[p]
        if not state:
            state.update(step=0, exp_avg=zeros_like(p), exp_avg_sq=zeros_like(p))
        state["step"] += 1
        return state


def _step(p: Tensor, grad: Tensor, state: dict, group: dict) -> None:
    """Adam's step on the rows of one gradient; each row comes once."""
    (beta1, beta2), average, square = group["betas"], state["exp_avg"], state["exp_avg_sq"]
    grad = grad.coalesce()
    indices, values = grad._indices(), grad._values()
    if values.numel() == 0:
        return
    old = average.sparse_mask(grad)._values()
    change = values.sub(old).mul_(1 - beta1)
    average.add_(grad.new(indices, change, grad.size()))
    old_square = square.sparse_mask(grad)._values()
    change_of_square = values.pow(2).sub_(old_square).mul_(1 - beta2)
    square.add_(grad.new(indices, change_of_square, grad.size()))
    numerator = change.add_(old)
    change_of_square.add_(old_square)
    denominator = change_of_square.sqrt_().add_(group["eps"])
    corrections = 1 - beta1 ** state["step"], 1 - beta2 ** state["step"]
    size = scalar(group["lr"]) * math.sqrt(corrections[1]) / corrections[0]
    p.add_(grad.new(indices, -size * numerator.div_(denominator), grad.size()))
