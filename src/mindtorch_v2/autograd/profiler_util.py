"""torch.autograd.profiler_util: re-exports only; nothing below the profiler imports this module."""

from __future__ import annotations

from ..profiler.export.event_list import EventList
from ..profiler.export.event_list import build_table as _build_table
from ..profiler.session.nvprof import StringTable
from ..profiler.views.averages import FunctionEventAvg
from ..profiler.views.device_type import DeviceType
from ..profiler.views.event_metadata import EVENT_METADATA_KEYS as _EVENT_METADATA_KEYS
from ..profiler.views.event_metadata import EventMetadata
from ..profiler.views.event_metadata import build_metadata as _build_metadata
from ..profiler.views.event_metadata import to_bool as _to_bool
from ..profiler.views.event_metadata import to_str as _to_str
from ..profiler.views.formatting import format_memory as _format_memory
from ..profiler.views.formatting import format_time as _format_time
from ..profiler.views.formatting import format_time_share as _format_time_share
from ..profiler.views.function_event import FormattedTimesMixin, FunctionEvent, Interval, Kernel
from ..profiler.views.function_event import attr_formatter as _attr_formatter
from ..profiler.views.hidden import filter_name as _filter_name
from ..profiler.views.hidden import filter_stack_entry as _filter_stack_entry
from ..profiler.views.mem_records import MemRecordsAcc
from ..profiler.views.visible_events import MEMORY_EVENT_NAME, OUT_OF_MEMORY_EVENT_NAME
from ..profiler.views.visible_events import rewrite_name as _rewrite_name

__all__ = ["EventList", "EventMetadata", "FormattedTimesMixin", "Interval", "Kernel", "FunctionEvent",
           "FunctionEventAvg", "StringTable", "MemRecordsAcc"]
