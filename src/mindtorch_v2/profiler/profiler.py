"""torch.profiler.profiler: re-exports only."""

from .memory.memory_profile import MemoryProfile
from .memory.timeline import MemoryProfileTimeline
from .session.activities import ProfilerActivity, kineto_available, supported_activities
from .session.activities import read_activities as _parse_activities
from .session.execution_trace_observer import ExecutionTraceObserver, _ITraceObserver
from .session.experimental_config import _ExperimentalConfig
from .session.experimental_config import parse_custom_profiler_config as _parse_custom_profiler_config
from .session.handlers import tensorboard_trace_handler
from .session.kineto_profile import _KinetoProfile
from .session.profile import PROFILER_STEP_NAME, profile
from .session.schedule import ProfilerAction, schedule
from .session.schedule import always as _default_schedule_fn
from .session.transitions import _unreachable_transition
from .session.warn_once import _WARNINGS_SHOWN, _warn_once

__all__ = ["supported_activities", "ProfilerAction", "schedule", "tensorboard_trace_handler", "profile",
           "ExecutionTraceObserver"]
