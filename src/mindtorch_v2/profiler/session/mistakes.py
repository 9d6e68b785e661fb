"""Schedules that did not do what their author wanted: found at the end, named, and with what was kept."""

from __future__ import annotations

from collections.abc import Callable

from .schedule import ProfilerAction

RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


def schedule_mistake(schedule: Callable, steps: int, action: ProfilerAction) -> str | None:
    """What went wrong with a schedule under which no cycle was handed over before the end, after so many steps."""
    kept = "what was recorded of it is kept" if action in RECORDING else "nothing was recorded"
    ended = f"Profiler ended after {steps} step{'s' * (steps > 1)}"
    if steps == 0:
        return ("Profiler has a schedule, but step() was never called, so it stayed in its first phase "
                f"({action.name}): {kept}. Call step() once per iteration, or leave the schedule out.")
    if action not in RECORDING:
        return (f"{ended} in {action.name}, before its schedule came to record: {kept}. "
                "Run more steps, or give the schedule less wait and warmup.")
    # The user's own function may mean to record for ever; of ours it is known that a cycle should have ended.
    cycle = getattr(schedule, "steps_per_cycle", None)
    return cycle and (f"{ended}, before the first cycle of its schedule ({cycle} steps) was complete: {kept}. "
                      "Run more steps, or give the schedule fewer.")
