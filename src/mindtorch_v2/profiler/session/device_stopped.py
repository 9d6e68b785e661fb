"""Steps on which a device has stopped collecting: the profile saves what it has and waits for the next cycle."""

from __future__ import annotations

from ... import autograd
from .schedule import ProfilerAction

_WATCHED = (ProfilerAction.WARMUP, ProfilerAction.RECORD)  # a device can give up while the profile is in these


def _is_kineto_stopped() -> bool:
    """Whether a device's collector gave up, for one because its buffers overflowed; the processor's never does."""
    return False


def following_action(current: ProfilerAction, scheduled: ProfilerAction, scheduled_before: ProfilerAction,
                     device: str | None) -> ProfilerAction:
    """What the next step does: what is scheduled, but DEVICE_STOPPED from where a device gave up to its cycle's end."""
    if current is ProfilerAction.DEVICE_STOPPED:
        cycle_ends = scheduled is ProfilerAction.NONE or scheduled_before is ProfilerAction.RECORD_AND_SAVE
        return scheduled if cycle_ends else current
    if device is None or current not in _WATCHED or scheduled is ProfilerAction.NONE:
        return scheduled
    return ProfilerAction.DEVICE_STOPPED if autograd._is_kineto_stopped() else scheduled
