"""One cycle for the whole training: up, down, and far below where it began."""

from __future__ import annotations

import math
from typing import Any

from ..optimizer import Optimizer
from .base import LRScheduler, as_optimizer, per_group
from .cyclic import set_momentum


class OneCycleLR(LRScheduler):
    """From ``max_lr / div_factor`` up to ``max_lr``, and down to a ``final_div_factor``-th of the start."""

    def __init__(self, optimizer: Optimizer, max_lr: float | list[float], total_steps: int | None = None,
                 epochs: int | None = None, steps_per_epoch: int | None = None, pct_start: float = 0.3,
                 anneal_strategy: str = "cos", cycle_momentum: bool = True,
                 base_momentum: float | list[float] = 0.85, max_momentum: float | list[float] = 0.95,
                 div_factor: float = 25.0, final_div_factor: float = 1e4, three_phase: bool = False,
                 last_epoch: int = -1):
        self.optimizer = as_optimizer(optimizer)
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        highs = per_group("max_lr", max_lr, optimizer)
        if last_epoch == -1:
            for high, group in zip(highs, optimizer.param_groups):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _start_momentum(self, base_momentum, max_momentum, last_epoch: int) -> None:
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        highs = per_group("max_momentum", max_momentum, self.optimizer)
        lows = per_group("base_momentum", base_momentum, self.optimizer)
        if last_epoch == -1:
            for high, low, group in zip(highs, lows, self.optimizer.param_groups):
                set_momentum(group, high, self.use_beta1)
                group["max_momentum"] = high
                group["base_momentum"] = low

    def get_lr(self) -> list:
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        start = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                break
            start = end
        part = (step - start) / (end - start)
        groups = self.optimizer.param_groups
        lrs = [self._anneal(group[phase["start_lr"]], group[phase["end_lr"]], part) for group in groups]
        if self.cycle_momentum:
            for group in groups:
                momentum = self._anneal(group[phase["start_momentum"]], group[phase["end_momentum"]], part)
                set_momentum(group, momentum, self.use_beta1)
        return lrs

    def _anneal(self, start: float, end: float, part: float) -> float:
        """Between two values, as the kind says; states of old versions have the function itself."""
        if not hasattr(self, "_anneal_func_type"):
            return self.anneal_func(start, end, part)
        along = self._annealing_linear if self._anneal_func_type == "linear" else self._annealing_cos
        return along(start, end, part)

    @staticmethod
    def _annealing_cos(start: float, end: float, pct: float) -> float:
        return end + (start - end) / 2.0 * (math.cos(math.pi * pct) + 1)

    @staticmethod
    def _annealing_linear(start: float, end: float, pct: float) -> float:
        return (end - start) * pct + start


def _total(total_steps, epochs, steps_per_epoch) -> int:
    if total_steps is not None:
        return _positive("total_steps", total_steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    return _positive("epochs", epochs) * _positive("steps_per_epoch", steps_per_epoch)


def _positive(name: str, value) -> int:
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")
    return value


def _phases(total: int, pct_start: float, three_phase: bool) -> list[dict[str, Any]]:
    """Where each phase ends, and between which of a group's values it goes."""
    def phase(end, lr, momentum):
        return {"end_step": end, "start_lr": f"{lr[0]}_lr", "end_lr": f"{lr[1]}_lr",
                "start_momentum": f"{momentum[0]}_momentum", "end_momentum": f"{momentum[1]}_momentum"}

    rising = float(pct_start * total) - 1
    up = phase(rising, ("initial", "max"), ("max", "base"))
    if not three_phase:
        return [up, phase(total - 1, ("max", "min"), ("base", "max"))]
    return [up, phase(float(2 * pct_start * total) - 2, ("max", "initial"), ("base", "max")),
            phase(total - 1, ("initial", "min"), ("max", "max"))]
