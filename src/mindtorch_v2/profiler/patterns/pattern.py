"""What a pattern is: it looks at every event and says which ones match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..kineto.event_tree import _ProfilerEvent
from ..kineto.fields import (
    _ExtraFields_PyCall,
    _ExtraFields_PyCCall,
    _ExtraFields_TorchOp,
    _PyFrameState,
    _TensorMetadata,
)
from ..kineto.search import NO_SOURCE
from ..kineto.traversal import traverse_dfs

TUNING_GUIDE = "https://pytorch.org/tutorials/recipes/recipes/tuning_guide.html#"
PACKAGE = __name__.partition(".")[0]  # files of the package itself are not where a user's habit stands


class Pattern:
    """A habit to look for. Subclasses give it a name and say in ``match`` whether an event shows it."""

    def __init__(self, prof, should_benchmark: bool = False):
        if prof.profiler is None or prof.profiler.kineto_results is None:
            raise AssertionError("prof.profiler and kineto_results must not be None")
        self.prof = prof
        self.should_benchmark = should_benchmark
        self.name = "Please specify a name for pattern"
        self.description = "Please specify a description for pattern"
        self.url = ""
        self.event_tree = prof.profiler.kineto_results.whole_event_tree()
        self.tid_root: dict[int, list[_ProfilerEvent]] = {}
        self._family: list[_ProfilerEvent] = []
        self._places: dict[int, int] = {}
        for event in self.event_tree:
            self.tid_root.setdefault(event.start_tid, []).append(event)

    @property
    def skip(self) -> bool:
        """Whether the profile lacks what this pattern reads, or the machine what it is about."""
        return False

    def match(self, event: _ProfilerEvent) -> bool:
        raise NotImplementedError

    def eventTreeTraversal(self) -> Iterator[_ProfilerEvent]:  # noqa: N802 - torch's name
        """The events to look at, in order."""
        yield from traverse_dfs(self.event_tree)

    def matched_events(self) -> list[_ProfilerEvent]:
        """All events that match."""
        return [] if self.skip else [event for event in self.eventTreeTraversal() if self.match(event)]

    def report(self, event: _ProfilerEvent) -> str:
        """What to tell the user, and where."""
        return f"{self.description}\n[Source Code Location] {source_code_location(event)}"

    def summary(self, events: list[_ProfilerEvent]) -> str:
        return f"{self.name}: {len(events)} events matched."

    def benchmark_summary(self, events: list[_ProfilerEvent]) -> str:
        """torch measures its GPU patterns here; what is found on a processor is only counted."""
        return self.summary(events)

    def root_of(self, event: _ProfilerEvent) -> _ProfilerEvent:
        while event.parent is not None:
            event = event.parent
        return event

    def siblings_of(self, event: _ProfilerEvent) -> tuple[list[_ProfilerEvent], list[_ProfilerEvent]]:
        """The siblings before an event, and those after it."""
        siblings, at = self.place_of(event)
        return siblings[:at], siblings[at + 1:]

    def place_of(self, event: _ProfilerEvent) -> tuple[list[_ProfilerEvent], int]:
        """An event and its siblings, and where it is among them; the family that was asked about last is kept."""
        if event.id not in self._places:
            self._family = event.parent.children if event.parent is not None else self.tid_root[event.start_tid]
            self._places = {other.id: at for at, other in enumerate(self._family)}
        return self._family, self._places[event.id]

    def next_of(self, event: _ProfilerEvent) -> _ProfilerEvent | None:
        after = self.siblings_of(event)[1]
        return after[0] if after else None

    def prev_of(self, event: _ProfilerEvent) -> _ProfilerEvent | None:
        before = self.siblings_of(event)[0]
        return before[-1] if before else None

    def go_up_until(self, event: _ProfilerEvent, predicate: Callable) -> _ProfilerEvent | None:
        """The nearest event, itself included, that fits; the root if none does."""
        while event is not None and event.parent is not None and not predicate(event):
            event = event.parent
        return event


class NamePattern(Pattern):
    """Events whose name fits a regular expression."""

    def __init__(self, prof, name: str, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.description = f"Matched Name Event: {name}"
        self.name = name

    def match(self, event: _ProfilerEvent) -> bool:
        return re.search(self.name, event.name) is not None


def source_code_location(event: _ProfilerEvent | None) -> str:
    """``file:line`` of the call in the user's program that led to an event.

    An op that is called where the profile began has no call above it; then it is the line of the beginning.
    """
    place = None
    while event is not None:
        fields = event.extra_fields
        if isinstance(fields, (_ExtraFields_PyCall, _ExtraFields_PyCCall)):
            if _is_users(fields.caller):
                place = fields.caller
                break
            if isinstance(fields, _ExtraFields_PyCall) and _is_users(fields.callsite):
                place = fields.callsite
        event = event.parent
    return NO_SOURCE if place is None else f"{place.file_name}:{place.line_number}"


def _is_users(place: _PyFrameState) -> bool:
    return bool(place.file_name) and not place.file_name.startswith(PACKAGE)


def input_shapes(event: _ProfilerEvent) -> tuple[tuple[int, ...], ...]:
    """The shapes of an op's inputs; empty for what is no tensor."""
    return tuple(tuple(getattr(value, "sizes", ())) for value in _inputs(event))


def input_dtypes(event: _ProfilerEvent) -> tuple:
    """The types of an op's inputs; None for what is no tensor."""
    return tuple(value.dtype if isinstance(value, _TensorMetadata) else None for value in _inputs(event))


def _inputs(event: _ProfilerEvent) -> list:
    if not isinstance(event.extra_fields, _ExtraFields_TorchOp):
        raise AssertionError(f"Expected extra_fields to be _ExtraFields_TorchOp, got {type(event.extra_fields)}")
    return event.extra_fields.inputs
