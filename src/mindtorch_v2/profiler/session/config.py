"""What the recording half of a profiler is told, by torch's names."""

from __future__ import annotations

from dataclasses import dataclass

from ..kineto.kinds import ProfilerState
from ..results.stats import _ProfilerStats  # noqa: F401 - torch's address of it
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
