"""torch's drawer of experimental switches."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field


@dataclass
class _ExperimentalConfig:
    """Switches by torch's names. Those that concern other devices, and those whose effect is always there
    (``profile_all_threads``), change nothing; docs/DIFFERENCES.md says which."""

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

    def __post_init__(self):
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            wrong = isinstance(value, str) if isinstance(default, bool) else not isinstance(value, type(default))
            if wrong:
                raise TypeError("__init__(): incompatible constructor arguments: "
                                f"{name} wants a {type(default).__name__}, but got {value!r}")


_DEFAULTS = {name: field.default_factory() if field.default_factory is not MISSING else field.default
             for name, field in _ExperimentalConfig.__dataclass_fields__.items()}


def parse_custom_profiler_config(experimental_config: _ExperimentalConfig | None) -> dict:
    """The user's own configuration: a JSON object, or else the name of a backend."""
    text = "" if experimental_config is None else experimental_config.custom_profiler_config
    if not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return {"backend": text}
    return found if isinstance(found, dict) else {}
