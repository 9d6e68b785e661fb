"""What the recording half of a profiler is told, by torch's names."""

from __future__ import annotations

from dataclasses import dataclass

from ..kineto.kinds import ProfilerState
from .experimental_config import _ExperimentalConfig


@dataclass(frozen=True)
class ProfilerConfig:
    """The wishes of one profile."""

    state: ProfilerState
    report_input_shapes: bool
    profile_memory: bool
    with_stack: bool
    with_flops: bool
    with_modules: bool
    experimental_config: _ExperimentalConfig
    trace_id: str = ""


@dataclass
class _ProfilerStats:
    """How long a profile and its parts took."""

    profiling_window_duration_sec: float = 0
    number_of_events: int = 0
    profiler_prepare_call_duration_us: int = 0
    profiler_enable_call_duration_us: int = 0
    profiler_disable_call_duration_us: int = 0
    parse_kineto_call_duration_us: int = 0
    function_events_build_tree_call_duration_us: int = 0
