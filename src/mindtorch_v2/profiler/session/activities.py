"""What can be profiled, and what a list of activities from the user means."""

from __future__ import annotations

from enum import Enum

from ..views.device_type import DeviceType  # noqa: F401 - torch.profiler offers these enums
from ..views.record_scope import RecordScope  # noqa: F401


class ProfilerActivity(Enum):
    """Whose events are recorded; torch's numbers."""

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

    def __eq__(self, other) -> bool:
        return self is other or (isinstance(other, int) and other == self.value)

    def __hash__(self) -> int:
        return hash(self.value)


# The kinds of events torch's filters know, and the category each one has in a trace.
ACTIVITY_TYPES = {
    "CPU_OP": "cpu_op", "USER_ANNOTATION": "user_annotation", "CPU_INSTANT_EVENT": "cpu_instant_event",
    "PYTHON_FUNCTION": "python_function",
}


def supported_activities() -> set[ProfilerActivity]:
    """The processor, until a second device registers itself."""
    return {ProfilerActivity.CPU}


def kineto_available() -> bool:
    """Whether profiles can be taken; torch asks this of its tracing library."""
    return True


def read_activities(given) -> tuple[set, dict]:
    """The activities and the filters on them, from a list of activities and of dicts, or one dict."""
    if given is None:
        return supported_activities(), {}
    activities: set = set()
    filters: dict = {}
    for item in [given] if isinstance(given, dict) else given:
        pairs = item.items() if isinstance(item, dict) else [(item, None)] if isinstance(item, ProfilerActivity) else []
        for activity, kinds in pairs:
            if activity in activities:
                raise ValueError(f"Activity {activity} specified more than once")
            activities.add(activity)
            if kinds is not None:
                filters[activity] = set(kinds)
    if not activities:
        raise AssertionError("No valid profiler activities found")
    return activities, filters
