"""torch's enums of what an event is and of how a profiler runs."""

from __future__ import annotations

from enum import Enum

from ..views.record_scope import C_CALL, GARBAGE_COLLECTION, MODULE_CALL, PYTHON_CALL


class _EventType(Enum):
    """What a node of the event tree stands for. torch has no word for the last one and fails on such a node."""

    TorchOp = 0
    Backend = 1
    Vulkan = 2
    Allocation = 3
    PyCall = 5
    PyCCall = 6
    Kineto = 7
    PythonGC = 8


# Kinds of rows that are no ops.
OF_SCOPE = {PYTHON_CALL: _EventType.PyCall, MODULE_CALL: _EventType.PyCall, C_CALL: _EventType.PyCCall,
            GARBAGE_COLLECTION: _EventType.PythonGC}


class ProfilerState(Enum):
    """How torch's profiler can be switched on."""

    Disabled = 0
    CPU = 1
    CUDA = 2
    NVTX = 3
    ITT = 4
    PRIVATEUSE1 = 5
    KINETO = 6
    KINETO_GPU_FALLBACK = 7
    KINETO_PRIVATEUSE1_FALLBACK = 8
    KINETO_PRIVATEUSE1 = 9


class ActiveProfilerType(Enum):
    """Which of torch's profilers is running."""

    NONE = 0
    LEGACY = 1
    KINETO = 2
    NVTX = 3
    ITT = 4
    PRIVATEUSE1 = 5
