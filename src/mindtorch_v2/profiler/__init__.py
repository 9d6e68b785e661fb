"""torch.profiler: re-exports only."""

from ..core.missing_name import missing_name as _missing_name
from . import itt
from .results.combining import combine
from .session.activities import DeviceType, ProfilerActivity, RecordScope, kineto_available, supported_activities
from .session.execution_trace_observer import ExecutionTraceObserver
from .session.experimental_config import _ExperimentalConfig
from .session.handlers import tensorboard_trace_handler
from .session.kineto_profile import _KinetoProfile
from .session.load import load
from .session.profile import profile
from .session.record_function import _RecordFunctionFast, record_function
from .session.schedule import ProfilerAction, schedule
from .session.step_tracker import KinetoStepTracker, _optimizer_post_hook

__all__ = ["profile", "schedule", "supported_activities", "tensorboard_trace_handler", "ProfilerAction",
           "ProfilerActivity", "kineto_available", "DeviceType", "record_function", "ExecutionTraceObserver", "load",
           "combine"]


def __getattr__(name: str):
    """Modules that PyTorch has loaded by now, and we load when somebody asks for them."""
    if name in ("profiler", "_memory_profiler", "_utils"):
        from importlib import import_module
        return import_module(f".{name}", __name__)
    raise _missing_name(__name__, name)
