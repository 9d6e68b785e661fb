"""torch.profiler: re-exports only."""

from . import itt
from .session.activities import (
    DeviceType,
    ProfilerActivity,
    RecordScope,
    kineto_available,
    supported_activities,
)
from .session.execution_trace_observer import ExecutionTraceObserver
from .session.experimental_config import _ExperimentalConfig
from .session.handlers import tensorboard_trace_handler
from .session.profile import _KinetoProfile, profile
from .session.record_function import _RecordFunctionFast, record_function
from .session.schedule import ProfilerAction, schedule
from .session.step_tracker import KinetoStepTracker, _optimizer_post_hook

__all__ = ["profile", "schedule", "supported_activities", "tensorboard_trace_handler", "ProfilerAction",
           "ProfilerActivity", "kineto_available", "DeviceType", "record_function", "ExecutionTraceObserver"]
