"""Which device beside the processor a profile is asked for, and the state of torch's profiler that follows from it."""

from __future__ import annotations

from importlib import import_module

from ...core.device import PRIVATEUSE1
from ...core.user_warning import warn_user
from ...record.interrupts import interruptible
from ..kineto.kinds import ProfilerState

KNOWN = ("cuda", "xpu", "mtia", "hpu")
FAILED = "{} could not be waited for ({}: {}): the profile may not show all of its work."


def _own_device() -> str | None:
    """The device of the program's own, asked for at torch's address of the question; None if there is none."""
    from ...autograd import profiler
    name = profiler._get_privateuse1_backend_name()
    return None if name == PRIVATEUSE1 else name


def synchronize(name: str) -> None:
    """Let a device finish its work, by the module that is registered for it; one that fails spoils no profile."""
    module = getattr(import_module(__name__.partition(".")[0]), name, None)
    if hasattr(module, "synchronize"):
        try:
            interruptible(module.synchronize)
        except Exception as error:
            warn_user(FAILED.format(name, type(error).__name__, error), each_time=True)


def available(device: str | None) -> str | None:
    """The device to profile beside the processor; asking for one that is not there is worth a warning."""
    if device is None or device == _own_device():
        return device
    if device in KNOWN:
        warn_user(f"{device.upper()} is not available, disabling {device.upper()} profiling")
    else:
        warn_user(f"The {device} is not a valid device option.")
    return None


def profiler_state(device: str | None, use_kineto: bool, use_cpu: bool) -> ProfilerState:
    """The state for an available device; without Kineto, a program's own device can only mark the processor's time."""
    if device is None:
        return ProfilerState.KINETO
    if use_kineto:
        return ProfilerState.KINETO_PRIVATEUSE1
    if not use_cpu:
        raise AssertionError("Legacy privateuse1 profiling requires use_cpu=True")
    return ProfilerState.KINETO_PRIVATEUSE1_FALLBACK
