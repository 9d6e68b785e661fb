"""torch.autograd.profiler: re-exports only; nothing below the profiler imports this module."""

from __future__ import annotations

from ..profiler.export.event_list import EventList
from ..profiler.session.activities import DeviceType, ProfilerActivity, kineto_available
from ..profiler.session.autograd_profile import profile
from ..profiler.session.experimental_config import _ExperimentalConfig
from ..profiler.session.record_function import record_function
from ..profiler.views.function_event import FunctionEvent
from ..profiler.views.shown import MEMORY_EVENT_NAME

__all__ = ["profile", "record_function", "EventList", "FunctionEvent", "DeviceType", "ProfilerActivity",
           "kineto_available", "MEMORY_EVENT_NAME", "_ExperimentalConfig"]
