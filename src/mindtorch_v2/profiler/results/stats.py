"""How long a profile and its parts took, by torch's names."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import ClassVar


class _Counted:
    """The field for the number of events: 0 until they were asked for, counted when it is read."""

    def __get__(self, stats: _ProfilerStats | None, owner: type) -> int:
        return 0 if stats is None or stats.events is None else len(stats.events)

    def __set__(self, stats: _ProfilerStats, number: int) -> None:
        """Nothing: it is counted."""


@dataclass
class _ProfilerStats:
    """How long a profile and its parts took."""

    events: ClassVar[Sized | None] = None  # of one profile, when they were asked for

    profiling_window_duration_sec: float = 0
    number_of_events: int = _Counted()
    profiler_prepare_call_duration_us: int = 0
    profiler_enable_call_duration_us: int = 0
    profiler_disable_call_duration_us: int = 0
    parse_kineto_call_duration_us: int = 0
    function_events_build_tree_call_duration_us: int = 0
