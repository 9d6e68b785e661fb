"""Counts steps for a daemon that profiles from outside: the most steps that anybody has taken."""

from __future__ import annotations

import os
from collections import defaultdict

from ...core.user_warning import warn_user
from ...optim.step_range import register_optimizer_step_post_hook


class KinetoStepTracker:
    """Several may count (the profiler, optimisers, the user); the step is the highest of their counts."""

    __module__ = "mindtorch_v2.autograd.profiler"
    _current_step = 0
    _step_dict: dict[str, int] = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester: str) -> None:
        """Somebody begins to count, from the current step on."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester: str) -> bool:
        """Somebody counts no longer; whether they did."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester: str) -> int:
        """Count a step, and say which one it is."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        new_step = max(cls._step_dict.values())
        if new_step > cls._current_step + 1:
            warn_user("Profiler step count has increased more than 1 - "
                      f"current_step = {cls._current_step} step dict =  {cls._step_dict}")
        cls._current_step = max(cls._current_step, new_step)
        return cls._current_step

    @classmethod
    def current_step(cls) -> int:
        """The step that is going on."""
        return cls._current_step


def daemon_listens() -> bool:
    """Whether steps are worth counting."""
    return bool(os.environ.get("KINETO_USE_DAEMON", ""))


def _optimizer_post_hook(optimizer, args: tuple, kwargs: dict) -> None:
    KinetoStepTracker.increment_step("Optimizer")


if daemon_listens():
    register_optimizer_step_post_hook(_optimizer_post_hook)
