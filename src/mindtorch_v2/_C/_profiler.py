"""torch._C._profiler: re-exports only."""

from ..profiler.kineto.captured_traceback import CapturedTraceback, gather_traceback, symbolize_tracebacks
from ..profiler.kineto.event_tree import _ProfilerEvent
from ..profiler.kineto.fields import (
    _ExtraFields_Allocation,
    _ExtraFields_Backend,
    _ExtraFields_Kineto,
    _ExtraFields_OutOfMemory,
    _ExtraFields_PyCall,
    _ExtraFields_PyCCall,
    _ExtraFields_PythonGC,
    _ExtraFields_TorchOp,
    _ExtraFields_Vulkan,
    _NNModuleInfo,
    _OptimizerInfo,
    _PyFrameState,
    _TensorMetadata,
)
from ..profiler.kineto.kinds import ActiveProfilerType, ProfilerState, _EventType
from ..profiler.session.activities import ProfilerActivity, RecordScope
from ..profiler.session.approximate_time import _ApproximateClockToUnixTimeConverter, _get_approximate_time
from ..profiler.session.c_bindings import (
    _add_execution_trace_observer,
    _disable_execution_trace_observer,
    _enable_execution_trace_observer,
    _remove_execution_trace_observer,
)
from ..profiler.session.config import ProfilerConfig
from ..profiler.session.experimental_config import _ExperimentalConfig
from ..profiler.session.record_function import _RecordFunctionFast
from ..profiler.session.switches import (
    _set_cuda_sync_enabled_val,
    _set_fwd_bwd_enabled_val,
    _set_record_concrete_inputs_enabled_val,
)

__all__ = ["ActiveProfilerType", "CapturedTraceback", "ProfilerActivity", "ProfilerConfig", "ProfilerState",
           "RecordScope", "_ApproximateClockToUnixTimeConverter", "_EventType", "_ExperimentalConfig",
           "_ExtraFields_Allocation", "_ExtraFields_Backend", "_ExtraFields_Kineto",
           "_ExtraFields_OutOfMemory", "_ExtraFields_PyCCall", "_ExtraFields_PyCall", "_ExtraFields_PythonGC",
           "_ExtraFields_TorchOp", "_ExtraFields_Vulkan", "_NNModuleInfo", "_OptimizerInfo", "_ProfilerEvent",
           "_PyFrameState", "_RecordFunctionFast", "_TensorMetadata", "_add_execution_trace_observer",
           "_disable_execution_trace_observer", "_enable_execution_trace_observer", "_get_approximate_time",
           "_remove_execution_trace_observer", "_set_cuda_sync_enabled_val", "_set_fwd_bwd_enabled_val",
           "_set_record_concrete_inputs_enabled_val", "gather_traceback", "symbolize_tracebacks"]
