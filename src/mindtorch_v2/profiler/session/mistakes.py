"""Schedules that did not do what their author wanted: found at the end, named, and with what was kept."""

from __future__ import annotations

from .schedule import ProfilerAction

RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


def schedule_mistake(steps: int, action: ProfilerAction, cycles: int) -> str | None:
    """What went wrong with a schedule that ends after so many steps, in this action, with so many cycles saved."""
    if cycles:
        return None
    kept = "what was recorded of it is kept" if action in RECORDING else "nothing was recorded"
    if steps == 0:
        return ("Profiler has a schedule, but step() was never called, so it stayed in its first phase "
                f"({action.name}): {kept}. Call step() once per iteration, or leave the schedule out.")
    if action in RECORDING:
        return (f"Profiler ended after {steps} steps, before the first cycle of its schedule was complete: {kept}. "
                "Run more steps, or give the schedule fewer.")
    return (f"Profiler ended after {steps} steps in {action.name}, before its schedule came to record: {kept}. "
            "Run more steps, or give the schedule less wait and warmup.")
