"""torch's drawer of experimental switches."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class _ExperimentalConfig:
    """Switches by torch's names; ``capture_overload_names`` and ``trace_only`` have an effect here."""

    profiler_metrics: list[str] = field(default_factory=list)
    profiler_measure_per_kernel: bool = False
    verbose: bool = False
    performance_events: list[str] = field(default_factory=list)
    enable_cuda_sync_events: bool = False
    adjust_profiler_step: bool = False
    disable_external_correlation: bool = False
    profile_all_threads: bool = False
    capture_overload_names: bool = False
    record_python_gc_info: bool = False
    expose_kineto_event_metadata: bool = False
    custom_profiler_config: str = ""
    adjust_timestamps: bool = False
    trace_only: bool = False


@dataclass
class ProfilerConfig:
    """How torch's own profiler would be switched on; ours takes these wishes as arguments of ``profile``."""

    state: object
    report_input_shapes: bool
    profile_memory: bool
    with_stack: bool
    with_flops: bool
    with_modules: bool
    experimental_config: _ExperimentalConfig
    trace_id: str = ""
