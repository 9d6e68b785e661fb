"""``prof.profiler.kineto_results``: what torch's tools are written against."""

from __future__ import annotations

from collections.abc import Callable

from ..table.cached_property import cached_property
from ..views.lazy_list import LazyList
from .activities import Activities, _ITraceActivity
from .event_tree import EventTree, _ProfilerEvent
from .kineto_event import _KinetoEvent
from .raw_events import RawEvents
from .recorded import Recorded
from .traced_tree import TracedTree


class _ProfilerResult:
    """A finished recording; the tree and the list are made when somebody asks."""

    def __init__(self, recorded: Recorded, save: Callable[[str], None] | None = None, tell_places: bool = False):
        self._recorded, self._save, self._tell_places = recorded, save, tell_places

    def __reduce__(self):
        return _ProfilerResult, (self._recorded, self._save, self._tell_places)

    @cached_property
    def _tree(self) -> EventTree:
        return EventTree(self._recorded)

    @cached_property
    def _traced_tree(self) -> EventTree:
        return TracedTree(self._recorded) if any(t.is_new for t in self._recorded.table.threads) else self._tree

    @cached_property
    def _raw(self) -> RawEvents:
        return RawEvents(self._tree, self._tell_places)

    def trace_start_ns(self) -> int:
        """When the recording began, since the epoch."""
        window = self._recorded.table.window
        return window.start_ns + window.wall_offset_ns

    def events(self) -> list[_KinetoEvent]:
        """All raw events in order of time."""
        return LazyList.over(self._raw)

    def trace_activities(self) -> list[_ITraceActivity]:
        """All events of the trace, in its order."""
        return LazyList.over(Activities(self._raw, self._save))

    def experimental_event_tree(self) -> list[_ProfilerEvent]:
        """The roots of the tree as torch has it: without Python's calls on threads that started inside the profile,
        unless all threads were asked for. Everything else here shows them."""
        return self._traced_tree.below(-1)

    def whole_event_tree(self) -> list[_ProfilerEvent]:
        """The roots of the tree with every event in it."""
        return self._tree.below(-1)

    def save(self, path: str, metadata: dict[str, str] | None = None) -> None:
        """Write the trace."""
        self._save(path, metadata)
