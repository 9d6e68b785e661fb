"""A profile that was loaded: it answers as the one that was saved."""

from __future__ import annotations

from dataclasses import dataclass

from ..kineto.recorded import Recorded
from ..table.event_table import EventTable
from .autograd_results import AutogradResults
from .overhead import Overhead
from .profile_results import ProfileResults
from .stats import _ProfilerStats


@dataclass(frozen=True)
class Kept:
    """What a file held, in the place of a live profile's recordings."""

    of_file: EventTable
    dropped: int
    cost: Overhead
    started = True
    running = False

    def table(self) -> EventTable:
        return self.of_file

    def recorded(self, overloads: bool = False) -> Recorded:
        """The table, with what the tree of events needs beside it."""
        return Recorded.of(self.of_file, overloads)

    def overhead(self) -> Overhead:
        return self.cost


@dataclass(frozen=True)
class Switches:
    """torch's experimental switches that change answers."""

    verbose: bool = False
    adjust_profiler_step: bool = False
    capture_overload_names: bool = False
    expose_kineto_event_metadata: bool = False
    trace_only: bool = False


class LoadedAutogradProfile(AutogradResults):
    """``profiler`` of a loaded profile."""

    def __init__(self, recordings: Kept, switches: Switches, trace_id: str, host_name: str,
                 categories: list[str] | None, metadata: dict[str, str], settings: dict[str, bool]):
        self._recordings, self.experimental_config, self.trace_id = recordings, switches, trace_id
        self._host, self._metadata, self._stats = host_name, metadata, _ProfilerStats()
        self._categories = None if categories is None else frozenset(categories)
        self._trace_only = switches.trace_only
        vars(self).update(settings)

    def __getstate__(self) -> dict:
        """For pickle and copy: events are made anew."""
        return {**vars(self), "_events": None, "_results": None, "_stats": _ProfilerStats()}

    def _host_name(self) -> str:
        return self._host


class LoadedProfile(ProfileResults):
    """A profile from a file, or from several; it can be asked everything, and records nothing."""

    def __init__(self, profiler: LoadedAutogradProfile, use_device: str | None, preset_metadata: dict[str, str],
                 trace_metadata: dict[str, str], settings: dict[str, bool]):
        self.profiler, self.use_device, self.mem_tl = profiler, use_device, None
        self.preset_metadata, self._trace_metadata = preset_metadata, trace_metadata
        vars(self).update(settings)

    def __getstate__(self) -> dict:
        return {**vars(self), "mem_tl": None}

    def _initialized(self, doing: str) -> LoadedAutogradProfile:
        return self.profiler

    def get_trace_id(self) -> str:
        """The name of the trace."""
        return self.profiler.trace_id

    def __repr__(self) -> str:
        return f"<profile of {len(self.profiler._recordings.of_file)} events, loaded>"
