"""What can be profiled, and what a list of activities from the user means."""

from __future__ import annotations

from enum import Enum

from ...core.device import PRIVATEUSE1, _get_privateuse1_backend_name, when_renamed
from ...record.layout import KERNEL, MEMCPY, MEMSET
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


# The kinds that a filter on a device of the program's own may name, and which of device activity they are.
DEVICE_ACTIVITY_TYPES = {"CONCURRENT_KERNEL": {KERNEL}, "GPU_MEMCPY": {MEMCPY}, "GPU_MEMSET": {MEMSET},
                         "GPU_USER_ANNOTATION": set(), "PRIVATEUSE1_RUNTIME": set(), "PRIVATEUSE1_DRIVER": set()}
# Devices by the activity that asks for them, in the order in which torch looks for them.
ACTIVITY_OF = {"cuda": ProfilerActivity.CUDA, "xpu": ProfilerActivity.XPU, "mtia": ProfilerActivity.MTIA,
               "hpu": ProfilerActivity.HPU}


def device_of(activities: set[ProfilerActivity]) -> str | None:
    """The device beside the processor that activities ask for."""
    known = next((name for name, activity in ACTIVITY_OF.items() if activity in activities), None)
    return known or (_get_privateuse1_backend_name() if ProfilerActivity.PrivateUse1 in activities else None)


def _rename(name: str) -> None:
    """Call the program's own device by its name, as a member of both enums; torch's tools know it by either."""
    for kind in (ProfilerActivity, DeviceType):
        kind.PrivateUse1._name_ = name.upper()
        setattr(kind, name.upper(), kind.PrivateUse1)


when_renamed.append(_rename)
if _get_privateuse1_backend_name() != PRIVATEUSE1:
    _rename(_get_privateuse1_backend_name())


def supported_activities() -> set[ProfilerActivity]:
    """The processor and, once the program has named it, its own device."""
    own = set() if _get_privateuse1_backend_name() == PRIVATEUSE1 else {ProfilerActivity.PrivateUse1}
    return {ProfilerActivity.CPU} | own


def device_kinds(filters: dict) -> frozenset[int] | None:
    """Which kinds of device activity are wanted; None for all."""
    if ProfilerActivity.PrivateUse1 not in filters:
        return None
    kinds = filters[ProfilerActivity.PrivateUse1]
    return frozenset().union(*(_member(DEVICE_ACTIVITY_TYPES, kind) for kind in kinds))


def categories(filters: dict) -> frozenset[str] | None:
    """Which categories of calls a trace may show; None for all."""
    if ProfilerActivity.CPU not in filters:
        return None
    return frozenset(_member(ACTIVITY_TYPES, kind) for kind in filters[ProfilerActivity.CPU])


def _member(types: dict, kind: str):
    if kind not in types:
        raise RuntimeError(f"Unknown or non-member activity type name: '{kind}'")
    return types[kind]


def kineto_available() -> bool:
    """Whether profiles can be taken; torch asks this of its tracing library."""
    return True


def read_activities(activities) -> tuple[set, dict]:
    """The activities and the filters on them, from a list of activities and of dicts, or one dict."""
    if activities is None:
        return supported_activities(), {}
    chosen: set = set()
    filters: dict = {}
    for item in [activities] if isinstance(activities, dict) else activities:
        pairs = item.items() if isinstance(item, dict) else [(item, None)] if isinstance(item, ProfilerActivity) else []
        for activity, kinds in pairs:
            if activity in chosen:
                raise ValueError(f"Activity {activity} specified more than once")
            chosen.add(activity)
            if kinds is not None:
                filters[activity] = set(kinds)
    if not chosen:
        raise AssertionError("No valid profiler activities found")
    return chosen, filters
