"""torch._C._autograd: re-exports only."""

from ..autograd.grad_mode import _unsafe_set_version_counter
from ..autograd.saved import _saved_tensors_hooks_is_enabled
from ..autograd.saved_tensor import SavedTensor, _make_saved_tensor
from ..profiler.kineto.activities import _ITraceActivity
from ..profiler.kineto.kinds import ProfilerState
from ..profiler.kineto.kineto_event import _KinetoEvent
from ..profiler.kineto.result import _ProfilerResult
from ..profiler.session.activities import DeviceType, ProfilerActivity, kineto_available, supported_activities
from ..profiler.session.c_bindings import (
    _add_metadata_json,
    _disable_profiler,
    _enable_profiler,
    _prepare_profiler,
    _profiler_enabled,
    _profiler_type,
    _record_function_with_args_enter,
    _record_function_with_args_exit,
    _toggle_collection_dynamic,
)
from ..profiler.session.config import ProfilerConfig
from ..profiler.session.device_stopped import _is_kineto_stopped

_supported_activities = supported_activities

__all__ = ["DeviceType", "ProfilerActivity", "ProfilerConfig", "ProfilerState", "SavedTensor", "_ITraceActivity",
           "_KinetoEvent", "_ProfilerResult", "_add_metadata_json", "_disable_profiler", "_enable_profiler",
           "_is_kineto_stopped", "_make_saved_tensor", "_prepare_profiler", "_profiler_enabled", "_profiler_type",
           "_record_function_with_args_enter", "_record_function_with_args_exit", "_saved_tensors_hooks_is_enabled",
           "_supported_activities", "_toggle_collection_dynamic", "_unsafe_set_version_counter", "kineto_available"]
