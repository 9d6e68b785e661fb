"""Up and down between two rates, again and again."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from ..optimizer import Optimizer
from .base import LRScheduler, as_optimizer, assign, copied, per_group

# mode: of what a cycle's height is a function
SCALE_MODES = {"triangular": "cycle", "triangular2": "cycle", "exp_range": "iterations"}


class CyclicLR(LRScheduler):
    """Between ``base_lr`` and ``max_lr`` in cycles; the momentum goes the other way."""

    def __init__(self, optimizer: Optimizer, base_lr: float | list[float], max_lr: float | list[float],
                 step_size_up: int = 2000, step_size_down: int | None = None, mode: str = "triangular",
                 gamma: float = 1.0, scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle",
                 cycle_momentum: bool = True, base_momentum: float = 0.8, max_momentum: float = 0.9,
                 last_epoch: int = -1):
        self.optimizer = as_optimizer(optimizer)
        base_lrs = per_group("base_lr", base_lr, optimizer)
        if last_epoch == -1:
            for low, group in zip(base_lrs, optimizer.param_groups):
                assign(group, "lr", low)
        self.max_lrs = per_group("max_lr", max_lr, optimizer)
        up, down = float(step_size_up), float(step_size_up if step_size_down is None else step_size_down)
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in SCALE_MODES and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else SCALE_MODES[mode]
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _start_momentum(self, base_momentum, max_momentum, last_epoch: int) -> None:
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        self.base_momentums = per_group("base_momentum", base_momentum, self.optimizer)
        self.max_momentums = per_group("max_momentum", max_momentum, self.optimizer)
        if last_epoch == -1:
            for high, low, group in zip(self.max_momentums, self.base_momentums, self.optimizer.param_groups):
                set_momentum(group, high, self.use_beta1)
                group["max_momentum"] = high
                group["base_momentum"] = low

    def _init_scale_fn(self) -> None:
        """The function of a mode, as torch's pickles know it; a custom one takes its place."""
        if self._scale_fn_custom is None:
            scale_fn = getattr(CyclicLR, f"_{self.mode}_scale_fn")
            self._scale_fn_ref = partial(scale_fn, self.gamma) if self.mode == "exp_range" else scale_fn

    def scale_fn(self, x: float) -> float:
        """How high a cycle reaches, between 0 and 1."""
        return (self._scale_fn_ref if self._scale_fn_custom is None else self._scale_fn_custom)(x)

    @staticmethod
    def _triangular_scale_fn(x: float) -> float:
        return 1.0

    @staticmethod
    def _triangular2_scale_fn(x: float) -> float:
        return 1 / (2.0 ** (x - 1))

    @staticmethod
    def _exp_range_scale_fn(gamma: float, x: float) -> float:
        return gamma**x

    def get_lr(self) -> list:
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        reach = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        lrs = [low + (high - low) * height * reach for low, high in zip(self.base_lrs, self.max_lrs)]
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups):
                set_momentum(group, high - (high - low) * height * reach, self.use_beta1)
        return lrs

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        fn = state.pop("_scale_fn_custom")
        # A function cannot be saved; of a callable object, its attributes are.
        state["_scale_fn_custom"] = None if fn is None or isinstance(fn, types.FunctionType) else fn.__dict__.copy()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        saved = state_dict.get("_scale_fn_custom")
        super().load_state_dict({key: value for key, value in state_dict.items() if key != "_scale_fn_custom"})
        if saved is not None:
            self._scale_fn_custom.__dict__.update(saved)
        self._init_scale_fn()


def set_momentum(group: dict[str, Any], value: float, use_beta1: bool) -> None:
    """A group's momentum, wherever its optimiser keeps it."""
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = copied(value)
