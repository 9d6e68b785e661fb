"""Which steps of a loop are recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ...core.user_warning import warn_user
from ..export.shown import Shown


class ProfilerAction(Enum):
    """What a profiler does during a step."""

    __module__ = "mindtorch_v2.profiler.profiler"
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


_NONE, _WARMUP, _RECORD, _SAVE, _ = ProfilerAction  # to look a member up takes as long as all else that a schedule does


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
            return _NONE
        step -= self.skip_first
        if self.skip_first_wait != 0:
            step += self.wait
        before_active = self.wait + self.warmup
        cycle, within = divmod(step, before_active + self.active)
        if (self.repeat > 0 and cycle >= self.repeat) or within < self.wait:
            return _NONE
        if within < before_active:
            return _WARMUP
        return _RECORD if within < before_active + self.active - 1 else _SAVE

    def explain(self, steps: int | None = None) -> Shown:
        """What happens in which step, in words: ``print(schedule(wait=1, warmup=1, active=3).explain())``. Without a
        number of steps, to the end of the first cycle, and what comes then."""
        first = self.skip_first + self.steps_per_cycle - (self.wait if self.skip_first_wait else 0)
        lines, begin = [], 0
        n_steps = first if steps is None else steps
        for step in range(1, n_steps + 1):
            if step == n_steps or self(step) is not self(begin) or self(begin) is ProfilerAction.RECORD_AND_SAVE:
                which = f"step {begin}" if step - begin == 1 else f"steps {begin} to {step - 1}"
                lines.append(f"{which:<16}{IN_WORDS[self(begin)]}")
                begin = step
        return Shown("\n".join([*lines, self._afterwards()] if steps is None else lines))

    def _afterwards(self) -> str:
        if self.repeat == 1:
            return "then            nothing is recorded any more"
        until = f"{self.repeat} times in all" if self.repeat else "until the program ends"
        return (f"then            the same every {self.steps_per_cycle} steps, {self.wait} of them without recording, "
                + until)


IN_WORDS = {ProfilerAction.NONE: "nothing is recorded",
            ProfilerAction.WARMUP: "warm up: recording is switched on, and what it gives is dropped",
            ProfilerAction.RECORD: "recorded",
            ProfilerAction.RECORD_AND_SAVE: "recorded; at its end the profile is ready, and on_trace_ready is called"}


def always(_: int) -> ProfilerAction:
    """No schedule: record from start to stop."""
    return ProfilerAction.RECORD
