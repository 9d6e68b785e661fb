"""What torch.autograd.profiler.profile answers from its table; the live profile and the loaded one share it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

import numpy as np

from ...record import rows
from ..export import chrome
from ..export.event_list import EventList
from ..kineto.recorded import Recorded
from ..kineto.result import _ProfilerResult
from ..table.event_table import EventTable
from ..views import profiler_steps
from ..views.events import Events
from . import time_limit
from .overhead import Overhead
from .stats import _ProfilerStats

TRACE_ONLY = ("events() is not available when trace_only=True in ExperimentalConfig. Use export_chrome_trace() "
              "instead.")


class Source(Protocol):
    """Where results come from: the recordings of a live profile, or what a file held."""

    started: bool
    running: bool
    dropped: int
    table: Callable[[], EventTable]
    recorded: Callable[[bool], Recorded]
    overhead: Callable[[], Overhead]


class Switches(Protocol):
    """Those of torch's experimental switches that change answers."""

    verbose: bool
    adjust_profiler_step: bool
    capture_overload_names: bool
    expose_kineto_event_metadata: bool


class AutogradResults:
    """Results, worked out when they are asked for. Who inherits this says where they come from."""

    _recordings: Source
    experimental_config: Switches
    _trace_only = False
    _categories: frozenset[str] | None = None
    _events: EventList | None = None
    _results: _ProfilerResult | None = None
    _stats: _ProfilerStats
    _metadata: dict[str, str]
    trace_id: str
    post_processing_timeout_s: float | None = None
    record_shapes: bool
    profile_memory: bool
    with_flops: bool
    with_stack: bool

    def overhead(self) -> Overhead:
        """What recording itself costs: per event, and as a share of the time recorded."""
        return self._recordings.overhead()

    @property
    def dropped_events(self) -> int:
        """How many events there was no room for."""
        return self._recordings.dropped

    def _host_name(self) -> str:
        """The machine the profile was taken on."""
        return socket.gethostname()

    @contextmanager
    def _timed(self, field: str):
        """Note in the statistics how long a block took."""
        start_ns = rows.now_ns()
        yield
        setattr(self._stats, field, -(-(rows.now_ns() - start_ns) // 1000))  # rounded up: it did take time

    @property
    def function_events(self) -> EventList:
        """All events; while recording goes on, all that there are so far."""
        if self._trace_only and self._recordings.started:
            raise RuntimeError(TRACE_ONLY)
        if self._recordings.running:
            return self._made()
        if self._events is None:
            self._events = self._stats.events = self._made()
        return self._events

    def _made(self) -> EventList:
        if not self._recordings.started:
            nothing = EventList([], profile_memory=self.profile_memory, with_flops=self.with_flops)
            nothing._build_tree()
            return nothing
        with self._timed("parse_kineto_call_duration_us"):
            table = self._recordings.table()
        with self._timed("function_events_build_tree_call_duration_us"):
            return EventList.of_profile(self._events_of(table, self.post_processing_timeout_s))

    def _parse_kineto_results(self, result: _ProfilerResult, timeout_s: float | None = None) -> list:
        """The events of raw results; with a limit, those that could be worked out in time."""
        time_limit.check(timeout_s, "timeout_s")
        return list(EventList.of_profile(self._events_of(result._recorded.table, timeout_s)))

    def _events_of(self, table: EventTable, timeout_s: float | None) -> Events:
        visible = time_limit.visible_within(table, timeout_s)
        places = None
        if self.experimental_config.expose_kineto_event_metadata:
            in_trace = np.argsort(table["start_ns"], kind="stable")
            places = {event: place for place, event in enumerate(table["id"][in_trace].tolist())}
        return Events(visible, self.experimental_config.capture_overload_names, places)

    @property
    def kineto_results(self) -> _ProfilerResult | None:
        """The raw results, as torch's tools read them; None until there are any."""
        if not self._recordings.started or self._recordings.running:
            return None
        if self._results is None:
            recorded = self._recordings.recorded(self.experimental_config.capture_overload_names)
            self._results = _ProfilerResult(recorded, self.export_chrome_trace,
                                            self.experimental_config.expose_kineto_event_metadata)
        return self._results

    def export_chrome_trace(self, path, metadata: dict[str, str] | None = None, use_python_export=False) -> None:
        """Write the trace; as often as wanted, the same each time."""
        self._export_trace(path, metadata)

    def _export_trace(self, path, metadata: dict[str, str] | None, for_tensorboard: bool = False) -> None:
        """Write the trace, for any program or in the words of TensorBoard's plugin."""
        trace = chrome.Trace(self.trace_id, self._host_name(), self._metadata | (metadata or {}),
                             self._categories, self.experimental_config.verbose, for_tensorboard)
        table = self._recordings.table()
        if self.experimental_config.adjust_profiler_step and self.with_stack:
            table = profiler_steps.adjusted(table)
        if self.experimental_config.capture_overload_names:
            table = replace(table, names=[(f"{name}.{overload}" if overload else name, overload)
                                          for name, overload in table.names])
        chrome.export_table(table, trace, path)

    def export_stacks(self, path, metric: str = "self_cpu_time_total", *, with_ops: bool = False) -> None:
        """Write stacks for a flame graph, on request with ranges and ops in them."""
        if not self.with_stack and not with_ops:
            raise AssertionError("export_stacks() requires with_stack=True")
        self.function_events.export_stacks(path, metric, with_ops=with_ops)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False) -> EventList:
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False) -> str:
        return self.function_events.table(sort_by, row_limit, max_src_column_width, max_name_column_width,
                                          max_shapes_column_width, header, top_level_events_only)

    def total_average(self):
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self):
        return self.function_events.self_cpu_time_total

    def __repr__(self):
        return repr(self.function_events) if self._recordings.started else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return str(self.function_events) if self._recordings.started else "<unfinished torch.autograd.profile>"
