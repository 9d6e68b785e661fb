"""L-BFGS: steps along curvature that is known from the last few gradients, with an optional line search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.functions import torch
from ..autograd.grad_mode import enable_grad, no_grad
from ..core.tensor import Tensor
from .optimizer import Optimizer
from .options import check
from .rule import number, scalar
from .wolfe import strong_wolfe

CURVATURE = 1e-10  # a pair of changes with less is not remembered
SEARCH_EVALUATIONS = 25


class LBFGS(Optimizer):
    """One group of parameters, seen as one vector; ``step(closure)`` evaluates the loss as often as it needs."""

    def __init__(self, params, lr: float | Tensor = 1, max_iter: int = 20, max_eval: int | None = None,
                 tolerance_grad: float = 1e-7, tolerance_change: float = 1e-9, history_size: int = 100,
                 line_search_fn: str | None = None):
        defaults = dict(lr=lr, max_iter=max_iter, max_eval=max_iter * 5 // 4 if max_eval is None else max_eval,
                        tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
                        line_search_fn=line_search_fn)
        check(defaults, "lr")
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]
        self._numel_cache: int | None = None

    def _numel(self) -> int:
        if self._numel_cache is None:
            self._numel_cache = sum(2 * p.numel() if p.is_complex() else p.numel() for p in self._params)
        return self._numel_cache

    def _gather_flat_grad(self) -> Tensor:
        """All gradients as one vector; a parameter without one counts as flat."""
        views = []
        for p in self._params:
            view = p.new(p.numel()).zero_() if p.grad is None else p.grad.view(-1)
            views.append(torch.view_as_real(view).view(-1) if view.is_complex() else view)
        return torch.cat(views, 0)

    def _add_grad(self, step_size: float | Tensor, direction: Tensor) -> None:
        offset = 0
        for p in self._params:
            p = torch.view_as_real(p) if p.is_complex() else p
            numel = p.numel()
            p.add_(direction[offset:offset + numel].view_as(p), alpha=number(step_size))
            offset += numel

    def _clone_param(self) -> list[Tensor]:
        return [p.clone() for p in self._params]

    def _set_param(self, values: list[Tensor]) -> None:
        for p, value in zip(self._params, values):
            p.copy_(value)

    def _directional_evaluate(self, closure: Callable, start: list[Tensor], step_size: float,
                              direction: Tensor) -> tuple[float, Tensor]:
        """Loss and gradient at a distance along a direction; the parameters stay where they were."""
        self._add_grad(step_size, direction)
        loss = float(closure())
        gradient = self._gather_flat_grad()
        self._set_param(start)
        return loss, gradient

    @no_grad()
    def step(self, closure: Callable[[], float]) -> float:
        """Iterate until a tolerance or a limit is reached; the first loss is given back."""
        closure = enable_grad()(closure)
        group, state = self.param_groups[0], self.state[self._params[0]]
        lr = scalar(group["lr"])
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        run = _Run(float(first_loss), self._gather_flat_grad(), state)
        state["func_evals"] += 1
        if run.gradient.abs().max() <= group["tolerance_grad"]:
            return first_loss
        while run.iterations < group["max_iter"]:
            run.iterations += 1
            state["n_iter"] += 1
            run.turn(group["history_size"], state["n_iter"])
            run.keep_gradient()
            run.step_size = min(1.0, 1.0 / run.gradient.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = run.gradient.dot(run.direction)
            if slope > -group["tolerance_change"]:
                break
            evaluations = self._move(closure, run, slope, group)
            run.evaluations += evaluations
            state["func_evals"] += evaluations
            if run.is_over(group):
                break
        run.save(state)
        return first_loss

    def _move(self, closure: Callable, run: _Run, slope: Tensor, group: dict[str, Any]) -> int:
        """Go along the direction, as far as a search says or as the step size does; how often the loss was asked."""
        if group["line_search_fn"] is not None:
            if group["line_search_fn"] != "strong_wolfe":
                raise RuntimeError("only 'strong_wolfe' is supported")
            start = self._clone_param()
            run.loss, run.gradient, run.step_size, evaluations = strong_wolfe(
                lambda distance: self._directional_evaluate(closure, start, distance, run.direction),
                run.step_size, run.direction, run.loss, run.gradient, slope,
                min(SEARCH_EVALUATIONS, group["max_eval"] - run.evaluations))
            self._add_grad(run.step_size, run.direction)
            run.is_optimal = run.gradient.abs().max() <= group["tolerance_grad"]
            return evaluations
        self._add_grad(run.step_size, run.direction)
        if run.iterations == group["max_iter"]:
            return 0  # nobody would use another loss
        with enable_grad():
            run.loss = float(closure())
        run.gradient = self._gather_flat_grad()
        run.is_optimal = run.gradient.abs().max() <= group["tolerance_grad"]
        return 1


class _Run:
    """The iterations of one step, and what is remembered between steps."""

    KEPT = {"al": "weights", "d": "direction", "t": "step_size", "old_dirs": "gradient_changes", "old_stps": "moves",
            "ro": "inverses", "H_diag": "scale", "prev_flat_grad": "last_gradient", "prev_loss": "last_loss"}

    def __init__(self, loss: float, gradient: Tensor, state: dict[str, Any]):
        self.loss, self.gradient = loss, gradient
        self.iterations, self.evaluations, self.is_optimal = 0, 1, False
        for theirs, ours in self.KEPT.items():
            setattr(self, ours, state.get(theirs))

    def save(self, state: dict[str, Any]) -> None:
        for theirs, ours in self.KEPT.items():
            if theirs != "al" or self.weights is not None:
                state[theirs] = getattr(self, ours)

    def keep_gradient(self) -> None:
        if self.last_gradient is None:
            self.last_gradient = self.gradient.clone()
        else:
            self.last_gradient.copy_(self.gradient)
        self.last_loss = self.loss

    def turn(self, history_size: int, iteration: int) -> None:
        """The next direction: down the gradient at first, then as the remembered changes say."""
        if iteration == 1:
            self.direction = self.gradient.neg()
            self.gradient_changes, self.moves, self.inverses, self.scale = [], [], [], 1
            return
        change = self.gradient.sub(self.last_gradient)
        move = self.direction.mul(self.step_size)
        curvature = change.dot(move)
        if curvature > CURVATURE:
            if len(self.gradient_changes) == history_size:
                for remembered in (self.gradient_changes, self.moves, self.inverses):
                    remembered.pop(0)
            self.gradient_changes.append(change)
            self.moves.append(move)
            self.inverses.append(1.0 / curvature)
            self.scale = curvature / change.dot(change)
        if self.weights is None:
            self.weights = [None] * history_size
        n = len(self.gradient_changes)
        q = self.gradient.neg()
        for i in range(n - 1, -1, -1):
            self.weights[i] = self.moves[i].dot(q) * self.inverses[i]
            q.add_(self.gradient_changes[i], alpha=number(-self.weights[i]))
        self.direction = torch.mul(q, self.scale)
        for i in range(n):
            back = self.gradient_changes[i].dot(self.direction) * self.inverses[i]
            self.direction.add_(self.moves[i], alpha=number(self.weights[i] - back))

    def is_over(self, group: dict[str, Any]) -> bool:
        """Whether a limit or a tolerance is reached."""
        if self.iterations == group["max_iter"] or self.evaluations >= group["max_eval"] or self.is_optimal:
            return True
        if self.direction.mul(self.step_size).abs().max() <= group["tolerance_change"]:
            return True
        return abs(self.loss - self.last_loss) < group["tolerance_change"]
