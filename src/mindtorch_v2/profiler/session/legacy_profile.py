"""torch.autograd.profiler_legacy.profile: the profiler before Kineto, on the same recorder."""

from __future__ import annotations

from ...record.interrupts import uninterrupted
from ..export.event_list import EventList
from ..views.events import Events
from ..views.function_event import FunctionEvent
from ..views.visible_events import VisibleEvents
from . import active
from .config import ProfilerConfig, ProfilerState
from .devices import available
from .drain import Wishes
from .experimental_config import _ExperimentalConfig
from .recordings import Recordings

# What a legacy event says of itself, read from today's; everything else keeps the constructor's default.
FIELDS = ("id", "name", "trace_name", "thread", "fwd_thread", "input_shapes", "stack", "scope", "cpu_memory_usage",
          "sequence_nr", "device_type", "flops")


class profile:  # noqa: N801 - torch's name
    """Record from ``__enter__`` to ``__exit__``; the events are made at the end."""

    __module__ = "mindtorch_v2.autograd.profiler_legacy"

    def __init__(self, enabled=True, *, use_cuda=False, record_shapes=False, with_flops=False, profile_memory=False,
                 with_stack=False, with_modules=False):
        self.enabled = bool(enabled)
        if not self.enabled:
            return
        self.use_cuda = bool(use_cuda and available("cuda"))
        self.function_events: EventList | None = None
        self.entered = False
        self.record_shapes = record_shapes or with_flops
        self.with_flops, self.profile_memory = with_flops, profile_memory
        self.with_stack, self.with_modules = with_stack, with_modules
        self.profiler_kind = ProfilerState.CPU
        self._recordings = Recordings(Wishes(self.record_shapes, profile_memory, with_flops, with_stack))

    def config(self) -> ProfilerConfig:
        """What is recorded, in one piece."""
        return ProfilerConfig(self.profiler_kind, self.record_shapes, self.profile_memory, self.with_stack,
                              self.with_flops, self.with_modules, _ExperimentalConfig())

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self.entered = True
        self._start_trace()
        return self

    @uninterrupted
    def _start_trace(self) -> None:
        self._recordings.open(keep=False)
        try:
            active.begins(self)
        except BaseException:  # what did not start must not go on recording
            self._recordings.close()
            raise

    def __exit__(self, exc_type, exc_val, exc_tb):
        if not self.enabled:
            return None
        uninterrupted(self._recordings.close)()
        active.ends(self)
        self.function_events = EventList(_legacy_events(Events(VisibleEvents(self._recordings.table()))),
                                         profile_memory=self.profile_memory, with_flops=self.with_flops)
        self.function_events._build_tree()
        return False

    def __repr__(self):
        return "<unfinished profiler_legacy.profile>" if self._pending else repr(self.function_events)

    def __str__(self):
        return "<unfinished profile.profiler_legacy.profile>" if self._pending else str(self.function_events)

    @property
    def _pending(self) -> bool:
        return getattr(self, "function_events", None) is None

    def _check_finish(self) -> None:
        if self._pending:
            raise RuntimeError("Profiler didn't finish running")

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False) -> str:
        """The events as text."""
        self._check_finish()
        return self.function_events.table(sort_by, row_limit, max_src_column_width, max_name_column_width,
                                          max_shapes_column_width, header, top_level_events_only)

    def export_chrome_trace(self, path) -> None:
        """The events as a trace a browser can show."""
        self._check_finish()
        self.function_events.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Stacks for a flame graph."""
        self._check_finish()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        self.function_events.export_stacks(path, metric)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0) -> EventList:
        """Sums by name."""
        self._check_finish()
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self):
        """The sum over everything."""
        self._check_finish()
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self):
        """Time of all events together, each without its children."""
        self._check_finish()
        return self.function_events.self_cpu_time_total


def _legacy_events(events: Events) -> list[FunctionEvent]:
    """All events in the legacy shape: numbered from 1, memory outside events first, at time 0."""
    shown = [events.event(row) for row in range(len(events))]
    memory = [e for e in shown if e.trace_name is None]
    legacy = [_memory_event(e) for e in memory]
    calls = [e for e in shown if e.trace_name is not None]
    for number, event in enumerate(calls, 1):
        fields = {name: getattr(event, name) for name in FIELDS} | {"id": number}
        legacy.append(FunctionEvent(start_us=event.time_range.start, end_us=event.time_range.end, is_legacy=True,
                                  is_async=False, **fields))
    return legacy


def _memory_event(event: FunctionEvent) -> FunctionEvent:
    return FunctionEvent(id=0, name=event.name, thread=0, start_us=0, end_us=0, stack=[], is_legacy=True,
                         cpu_memory_usage=event.cpu_memory_usage)
