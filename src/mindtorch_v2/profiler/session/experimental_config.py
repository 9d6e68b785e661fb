"""torch's drawer of experimental switches."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field


class _Unsaid(int):
    """False that nobody said: shown as torch's default is, and yet told from a False that was given."""

    def __repr__(self) -> str:
        return "False"


UNSAID = _Unsaid(0)


@dataclass
class _ExperimentalConfig:
    """Switches by torch's names. Those that concern other devices change nothing; docs/DIFFERENCES.md says which.

    ``profile_all_threads``: all threads are profiled unless it is said to be False; then that of the profile alone.
    """

    profiler_metrics: list[str] = field(default_factory=list)
    profiler_measure_per_kernel: bool = False
    verbose: bool = False
    performance_events: list[str] = field(default_factory=list)
    enable_cuda_sync_events: bool = False
    adjust_profiler_step: bool = False
    disable_external_correlation: bool = False
    profile_all_threads: bool = UNSAID
    capture_overload_names: bool = False
    record_python_gc_info: bool = False
    expose_kineto_event_metadata: bool = False
    custom_profiler_config: str = ""
    adjust_timestamps: bool = False
    trace_only: bool = False

    def __post_init__(self):
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            kind = bool if default is UNSAID else type(default)
            if isinstance(value, str) if kind is bool else not isinstance(value, kind):
                raise TypeError("__init__(): incompatible constructor arguments: "
                                f"{name} wants a {kind.__name__}, but got {value!r}")


_DEFAULTS = {name: field.default_factory() if field.default_factory is not MISSING else field.default
             for name, field in _ExperimentalConfig.__dataclass_fields__.items()}


def parse_custom_profiler_config(experimental_config: _ExperimentalConfig | None) -> dict:
    """The user's own configuration: a JSON object, or else the name of a backend."""
    text = "" if experimental_config is None else experimental_config.custom_profiler_config
    if not text:
        return {}
    try:
        config = json.loads(text)
    except ValueError:
        return {"backend": text}
    return config if isinstance(config, dict) else {}
