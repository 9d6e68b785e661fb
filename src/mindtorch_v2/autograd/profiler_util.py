"""torch.autograd.profiler_util: re-exports only; nothing below the profiler imports this module."""

from __future__ import annotations

from ..profiler.export.event_list import EventList
from ..profiler.views.averages import FunctionEventAvg
from ..profiler.views.device_type import DeviceType
from ..profiler.views.formatting import format_memory as _format_memory
from ..profiler.views.formatting import format_time as _format_time
from ..profiler.views.formatting import format_time_share as _format_time_share
from ..profiler.views.function_event import FormattedTimesMixin, FunctionEvent, Interval, Kernel
from ..profiler.views.shown import MEMORY_EVENT_NAME
from ..profiler.views.shown import rewrite_name as _rewrite_name

__all__ = ["EventList", "FormattedTimesMixin", "Interval", "Kernel", "FunctionEvent", "FunctionEventAvg", "DeviceType",
           "MEMORY_EVENT_NAME", "_format_memory", "_format_time", "_format_time_share", "_rewrite_name"]
