"""Which steps of a loop are recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ...core.user_warning import warn_user


class ProfilerAction(Enum):
    """What a profiler does during a step."""

    __module__ = "mindtorch_v2.profiler.profiler"
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def schedule(*, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0,
             skip_first_wait: int = 0) -> Callable[[int], ProfilerAction]:
    """A plan for ``profile(schedule=...)``: steps in cycles of wait, warmup and active.

    wait: Steps of a cycle in which nothing is recorded.
    warmup: Steps in which recording is already switched on, and its results are dropped.
    active: Steps that are recorded. After the last one ``on_trace_ready`` is called.
    repeat: Cycles. 0 means until the end.
    skip_first: Steps before the first cycle.
    skip_first_wait: If not 0, the first cycle has no wait.
    """
    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0).")
    if warmup == 0:
        warn_user("Profiler won't be using warmup, this can skew profiler results")
    return Schedule(wait, warmup, active, repeat, skip_first, skip_first_wait)


@dataclass(frozen=True)
class Schedule:
    """What to do in each step: an object, so that it can be pickled."""

    wait: int
    warmup: int
    active: int
    repeat: int
    skip_first: int
    skip_first_wait: int

    @property
    def steps_per_cycle(self) -> int:
        return self.wait + self.warmup + self.active

    def __call__(self, step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < self.skip_first:
            return ProfilerAction.NONE
        step -= self.skip_first
        if self.skip_first_wait != 0:
            step += self.wait
        cycle, within = divmod(step, self.steps_per_cycle)
        if (self.repeat > 0 and cycle >= self.repeat) or within < self.wait:
            return ProfilerAction.NONE
        if within < self.wait + self.warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if within < self.steps_per_cycle - 1 else ProfilerAction.RECORD_AND_SAVE


def always(_: int) -> ProfilerAction:
    """No schedule: record from start to stop."""
    return ProfilerAction.RECORD
