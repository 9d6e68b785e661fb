"""What torch.profiler.profile answers; the live profile and the loaded one share it.

What few programs ask for is imported when they do.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...record.locks import load
from ..export.event_list import EventList
from ..memory import timeline as memory_timeline
from ..memory.memory_profile import MemoryProfile
from ..table.event_table import EventTable
from .autograd_results import AutogradResults
from .overhead import Overhead

if TYPE_CHECKING:
    from ..export.frames import Column
    from ..export.shown import Shown
    from ..report.report import Source
    from ..views.data_wait import StepWait
    from ..views.digest import Digest

warn_once: Callable[[str], None] = warnings.warn  # the session puts one here that finds the user's line
NEEDED_FOR_MEMORY = ("record_shapes", "profile_memory", "with_stack")


class ProfileResults:
    """What a profile answers, while it runs, after it has stopped, and when it was loaded from a file."""

    profiler: AutogradResults | None  # whose results they are
    use_device: str | None
    mem_tl: memory_timeline.MemoryProfileTimeline | None
    preset_metadata: dict[str, str]
    _trace_metadata: dict[str, str]

    def _initialized(self, doing: str) -> AutogradResults:
        """Whose events are shown."""
        raise NotImplementedError

    def events(self) -> EventList:
        """All events, made as they are looked at."""
        return self._initialized("accessing events").function_events

    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0,
                     group_by_overload_name: bool = False) -> EventList:
        """Sums by name, and by whatever else is asked for."""
        for is_wanted, switch, what in ((group_by_input_shape, "record_shapes", "group_by_input_shape"),
                                        (group_by_stack_n, "with_stack", "group_by_stack_n")):
            if is_wanted and not getattr(self, switch):
                warn_once(f"key_averages({what}=…) finds nothing to tell rows apart by: the profile was taken without "
                          f"{switch}=True.")
        profiler = self._initialized("getting key averages")
        return profiler.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def export_chrome_trace(self, path, use_python_export: bool = False) -> None:
        """Write a trace to a path or an open file; ``.gz`` compresses."""
        self._export_trace(path)

    def _export_trace(self, path, for_tensorboard: bool = False) -> None:
        """Write a trace, for any program or in the words of TensorBoard's plugin."""
        whole = self._whole("exporting chrome trace")
        whole._initialized("exporting chrome trace")._export_trace(
            path, {**whole.preset_metadata, **whole._trace_metadata}, for_tensorboard)

    def _whole(self, doing: str) -> ProfileResults:
        """This profile with everything that belongs to it, which a file is written of."""
        return self

    def export_perfetto(self, path) -> None:
        """Write a trace in Perfetto's own format (``.pftrace``), a fiftieth of a Chrome trace's size."""
        table = self._whole("exporting a trace")._table("exporting a trace")
        load("..export.perfetto", __package__).export_perfetto(table, path)

    def export_speedscope(self, path, name: str = "Profile") -> None:
        """Write the calls of all threads for speedscope, in its own format: Python's, ranges and ops as frames."""
        table = self._whole("exporting a profile")._table("exporting a profile")
        load("..export.speedscope", __package__).export_speedscope(table, path, name)

    def _table(self, doing: str) -> EventTable:
        return self._initialized(doing)._recordings.table()

    def export_stacks(self, path, metric: str = "self_cpu_time_total", *, with_ops: bool = False) -> None:
        """Write stacks for a flame graph, one line each: Python's calls, and with ``with_ops`` also ranges and ops,
        which need no ``with_stack``. Weights are whole microseconds and add up to the self time of all events."""
        self._initialized("exporting stacks").export_stacks(path, metric, with_ops=with_ops)

    def data_wait(self) -> list[StepWait]:
        """How long each step waited for its DataLoader; steps are those that step() marks, or that optimizers end."""
        return load("..views.data_wait", __package__).data_wait(self._table("asking what it waited for"))

    def overhead(self) -> Overhead:
        """What recording itself costs: per event, and as a share of the time recorded."""
        return self._initialized("asking for its overhead").overhead()

    @property
    def dropped_events(self) -> int:
        """How many events max_events or max_bytes left no room for."""
        return self._initialized("counting dropped events").dropped_events

    def _memory_profile(self) -> MemoryProfile:
        """What all memory was used for."""
        missing = [f"{name}=True" for name in NEEDED_FOR_MEMORY if not getattr(self, name)]
        if missing:
            raise ValueError(f"{', '.join(missing)} required for memory profiling.")
        profiler = None if self.profiler is None else self._initialized("memory profiling")
        if profiler is None or profiler.kineto_results is None:
            raise AssertionError("Profiler and kineto_results must be initialized for memory profiling")
        return MemoryProfile(profiler.kineto_results)

    def export_memory_timeline(self, path, device: str | None = None) -> None:
        """Write what kinds of memory were alive when."""
        where = device or ("cpu" if self.use_device is None else f"{self.use_device}:0")
        self.mem_tl = memory_timeline.export(self._memory_profile(), path, where)

    def report(self, path: str | os.PathLike, against: ProfileResults | None = None, title: str | None = None) -> None:
        """Write one HTML page that shows everything and needs nothing else: no network, no other file. With another
        profile in ``against``, it also shows what changed from that one to this."""
        if against is not None and not isinstance(against, ProfileResults):
            raise TypeError(f"report(): against must be a profile, live or loaded, not {type(against).__name__}")
        from ..report import report

        report.write(self._reported(title or "Profile"), path, against and against._reported("the other profile"))

    def _reported(self, title: str) -> Source:
        """This profile as a report shows it, whatever was recorded so far."""
        from ..memory.analysis import Analysis
        from ..report.report import Source

        profiler = self._initialized("writing a report")
        recordings = profiler._recordings
        if not recordings.started:
            raise RuntimeError("this profile has recorded nothing yet, so there is nothing to report")
        table = recordings.table()
        by_category = (all(getattr(self, name) for name in NEEDED_FOR_MEMORY) and profiler.kineto_results is not None
                       and len(set(map(table.pid_of, table.threads))) == 1)
        return Source(table, title, profiler._host_name(), profiler.dropped_events, profiler.overhead().share,
                      Analysis.of(profiler.kineto_results) if by_category else None)

    def digest(self) -> Digest:
        """What views work out of the profile: steps, modules, threads, findings, the fullest moment of memory …"""
        return load("..views.digest", __package__).Digest(self._table("looking at it"))

    def summary(self, width: int = 100) -> Shown:
        """The profile in a screenful: steps and their phases, the ops that lead, and what costs time and need not."""
        return load("..export.summary", __package__).summary(self.digest(), width)

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the summary with a small timeline; nothing where nothing was recorded."""
        if self.profiler is None or not self._initialized("showing it")._recordings.started:
            return None
        return load("..export.notebook_html", __package__).profile_html(self.digest())

    def columns(self, table: str = "events") -> dict[str, Column]:
        """One of the profile's tables as plain columns: events, ops, averages, steps, modules, threads or memory."""
        frames = load("..export.frames", __package__)
        if table == frames.AVERAGES:
            return frames.averages(self.key_averages())
        if table not in frames.TABLES:
            raise ValueError(f"a profile has no table {table!r}; it has {', '.join(frames.EVERY_TABLE)}")
        return frames.TABLES[table](self.digest())

    def to_pandas(self, table: str = "events"):
        """One of the profile's tables as a pandas.DataFrame."""
        return load("..export.data_frames", __package__).to_pandas(self.columns(table))

    def to_polars(self, table: str = "events"):
        """One of the profile's tables as a polars.DataFrame."""
        return load("..export.data_frames", __package__).to_polars(self.columns(table))

    def to_arrow(self, table: str = "events"):
        """One of the profile's tables as a pyarrow.Table."""
        return load("..export.data_frames", __package__).to_arrow(self.columns(table))

    def to_csv(self, path, table: str = "events") -> None:
        """Write one of the profile's tables as comma-separated values."""
        load("..export.data_frames", __package__).to_csv(self.columns(table), path)

    def sql(self, query: str):
        """The answer to a query over the profile's tables, by DuckDB: ``prof.sql("select name, sum(self_ns) from events
        group by name")``. It can be fetched (``fetchall()``) or made a data frame (``df()``)."""
        tables = {name: self.columns(name) for name in load("..export.frames", __package__).EVERY_TABLE}
        return load("..export.data_frames", __package__).sql(query, tables)

    def save(self, path: str | os.PathLike) -> None:
        """Write everything the profile can answer into one file, which ``profiler.load`` reads; docs/SAVED_PROFILES.md
        says what stands in it. An existing file is replaced when the new one is whole."""
        load(".saving", __package__).save(self, self._initialized("saving"), path)
