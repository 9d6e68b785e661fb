"""What can be profiled, and what a list of activities from the user means."""

from __future__ import annotations

from enum import Enum

from ..views.device_type import DeviceType  # noqa: F401 - torch.profiler offers these enums
from ..views.record_scope import RecordScope  # noqa: F401


class ProfilerActivity(Enum):
    """Whose events are recorded; torch's numbers."""

    __module__ = "mindtorch_v2._C._profiler"
    CPU = 0
    XPU = 1
    CUDA = 2
    HPU = 3
    MTIA = 4
    PrivateUse1 = 5

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value


# The kinds of events a filter on the processor may name, and the category each one has in a trace.
ACTIVITY_TYPES = {name: name.lower() for name in (
    "CPU_OP", "USER_ANNOTATION", "CPU_INSTANT_EVENT", "PYTHON_FUNCTION", "EXTERNAL_CORRELATION", "CUDA_RUNTIME",
    "CUDA_DRIVER", "XPU_RUNTIME", "PRIVATEUSE1_RUNTIME")}


def supported_activities() -> set[ProfilerActivity]:
    """The processor, until a second device registers itself."""
    return {ProfilerActivity.CPU}


def kineto_available() -> bool:
    """Whether profiles can be taken; torch asks this of its tracing library."""
    return True


def read_activities(activities) -> tuple[set, dict]:
    """The activities and the filters on them, from a list of activities and of dicts, or one dict."""
    if activities is None:
        return supported_activities(), {}
    found: set = set()
    filters: dict = {}
    for item in [activities] if isinstance(activities, dict) else activities:
        pairs = item.items() if isinstance(item, dict) else [(item, None)] if isinstance(item, ProfilerActivity) else []
        for activity, kinds in pairs:
            if activity in found:
                raise ValueError(f"Activity {activity} specified more than once")
            found.add(activity)
            if kinds is not None:
                filters[activity] = set(kinds)
    if not found:
        raise AssertionError("No valid profiler activities found")
    return found, filters
