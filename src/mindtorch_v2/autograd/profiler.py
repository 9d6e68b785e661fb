"""torch.autograd.profiler: re-exports only; nothing below the profiler imports this module."""

from __future__ import annotations

from ..core.device import _get_privateuse1_backend_name
from ..core.missing_name import missing_name as _missing_name
from ..profiler.export.event_list import EventList
from ..profiler.session.activities import DeviceType, ProfilerActivity, kineto_available
from ..profiler.session.annotations import emit_itt, emit_nvtx
from ..profiler.session.autograd_profile import profile
from ..profiler.session.config import ProfilerConfig, ProfilerState, _ProfilerStats
from ..profiler.session.experimental_config import _ExperimentalConfig
from ..profiler.session.nvprof import EnforceUnique, load_nvprof, parse_nvprof_trace
from ..profiler.session.record_function import record_function
from ..profiler.session.step_tracker import KinetoStepTracker
from ..profiler.views.function_event import FunctionEvent
from ..profiler.views.hidden import filter_name as _filter_name
from ..profiler.views.hidden import filter_stack_entry as _filter_stack_entry
from ..profiler.views.mem_records import MemRecordsAcc
from ..profiler.views.visible_events import MEMORY_EVENT_NAME, OUT_OF_MEMORY_EVENT_NAME
from ..profiler.views.visible_events import rewrite_name as _rewrite_name
from ..record import rows as _rows

__all__ = ["profile", "record_function", "emit_itt", "emit_nvtx", "load_nvprof", "EnforceUnique", "parse_nvprof_trace",
           "KinetoStepTracker", "EventList", "FunctionEvent", "MemRecordsAcc"]


def __getattr__(name: str):
    if name == "_is_profiler_enabled":
        return bool(_rows.is_listening())
    raise _missing_name(__name__, name)
