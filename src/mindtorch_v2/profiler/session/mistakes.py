"""What there is to say of a schedule when its profile ends: what went wrong, what was kept, and what is shown."""

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


def shown_cycle(schedule: Callable, finished: int, steps: int, action: ProfilerAction) -> str | None:
    """Which cycle is shown where nobody was handed the finished ones and the next one was not finished."""
    if not finished or (action is ProfilerAction.NONE and not _goes_on(schedule, finished)):
        return None
    ended = f"Profiler ended after {steps} step{'s' * (steps > 1)} in {action.name}"
    if action not in RECORDING:
        return (f"{ended}, before another cycle was recorded: events(), key_averages() and exports show the last "
                f"finished cycle, number {finished}.")
    return (f"{ended}, before another cycle was complete: events(), key_averages() and exports show what there is of "
            f"it, and cycle number {finished} was cleared. To keep finished cycles pass on_trace_ready or "
            "acc_events=True, or let the schedule end with `repeat`.")


def _goes_on(schedule: Callable, finished: int) -> bool:
    """Whether another cycle was to come; of a function of the user's that waits, it is not known."""
    repeat = getattr(schedule, "repeat", None)
    return repeat is not None and (repeat == 0 or finished < repeat)
