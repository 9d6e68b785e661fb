"""torch._C._autograd: re-exports only."""

from ..profiler.kineto.activities import _ITraceActivity
from ..profiler.kineto.kinds import ProfilerState
from ..profiler.kineto.raw_events import _KinetoEvent
from ..profiler.kineto.result import _ProfilerResult
from ..profiler.session.activities import DeviceType, ProfilerActivity, kineto_available, supported_activities

_supported_activities = supported_activities

__all__ = ["DeviceType", "ProfilerActivity", "ProfilerState", "_ITraceActivity", "_KinetoEvent", "_ProfilerResult",
           "_supported_activities", "kineto_available"]
