"""Steps in which nobody records, nor begins or ends to: most steps of a long run. All that changes is their number, so
that no signal handler has to be held back for it."""

from __future__ import annotations

from ...record import rows
from .schedule import ProfilerAction, Schedule

NONE, WARMUP = ProfilerAction.NONE, ProfilerAction.WARMUP


def take_idle_step(profile) -> bool:
    """Let the next step of a profile begin if it is such a one, and say whether it was."""
    action, schedule = profile.current_action, profile.schedule
    if type(schedule) is not Schedule or not (action is NONE or (action is WARMUP and profile.use_device is None)):
        return False  # only our own schedule is known not to fail
    if not profile._running or profile._is_counted or rows.is_listening():
        return False
    if schedule(profile.step_num + 1) is not action:
        return False
    if profile.step_rec_fn is not None:
        profile._close_step()  # nobody hears of this one
    profile.step_num += 1
    return True
