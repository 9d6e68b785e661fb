"""What a change from one action of the schedule to the next brings with it; torch's table."""

from __future__ import annotations

from .schedule import ProfilerAction

NONE, WARMUP, RECORD, SAVE, STOPPED = ProfilerAction
# Methods of a profile, by name.
PREPARE, START, STOP, READY, UNPREPARE = "prepare_trace", "start_trace", "stop_trace", "_trace_ready", "_unprepare"
BEGINNING = (PREPARE, START)

TRANSITIONS: dict[tuple[ProfilerAction, ProfilerAction | None], tuple[str, ...]] = {
    (NONE, NONE): (),
    (NONE, WARMUP): (PREPARE,),
    (NONE, RECORD): (PREPARE, START),
    (NONE, SAVE): (PREPARE, START),
    (WARMUP, NONE): (UNPREPARE,),
    (WARMUP, WARMUP): (),
    (WARMUP, RECORD): (START,),
    (WARMUP, SAVE): (START,),
    (RECORD, NONE): (STOP,),
    (RECORD, WARMUP): (STOP, PREPARE),  # torch does not get ready again, and crashes when recording resumes
    (RECORD, RECORD): (),
    (RECORD, SAVE): (),
    (SAVE, NONE): (STOP, READY),
    (SAVE, WARMUP): (STOP, READY, PREPARE),
    (SAVE, RECORD): (STOP, READY, PREPARE, START),
    (SAVE, SAVE): (STOP, READY, PREPARE, START),
    # The profile ends.
    (NONE, None): (),
    (WARMUP, None): (UNPREPARE,),
    (RECORD, None): (STOP, READY),
    (SAVE, None): (STOP, READY),
    (STOPPED, None): (),
    # A device has stopped collecting, until the next cycle.
    (WARMUP, STOPPED): (START, STOP, READY),
    (RECORD, STOPPED): (STOP, READY),
    (STOPPED, STOPPED): (),
    (STOPPED, NONE): (),
    (STOPPED, WARMUP): (PREPARE,),
    (STOPPED, RECORD): (PREPARE, START),
    (STOPPED, SAVE): (PREPARE, START),
}
# Changes that no schedule should ask for, and changes that cannot come about.
INCORRECT = {(WARMUP, NONE), (RECORD, NONE), (RECORD, WARMUP)}
UNREACHABLE = {(NONE, STOPPED), (SAVE, STOPPED)}


def _unreachable_transition(prev: str, current: str) -> None:
    raise RuntimeError(f"Profiler internal error: {prev} -> {current} should be unreachable")
