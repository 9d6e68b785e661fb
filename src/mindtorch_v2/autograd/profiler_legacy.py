"""torch.autograd.profiler_legacy: re-exports only; nothing below the profiler imports this module."""

from __future__ import annotations

from ..profiler.export.event_list import EventList
from ..profiler.session.activities import DeviceType
from ..profiler.session.config import ProfilerConfig, ProfilerState
from ..profiler.session.legacy_profile import profile
from ..profiler.views.function_event import FunctionEvent
from ..profiler.views.hidden import filter_name as _filter_name
from ..profiler.views.hidden import filter_stack_entry as _filter_stack_entry
from ..profiler.views.visible_events import MEMORY_EVENT_NAME
from ..profiler.views.visible_events import rewrite_name as _rewrite_name

__all__ = ["profile"]
