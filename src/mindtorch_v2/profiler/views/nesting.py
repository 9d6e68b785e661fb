"""The tree of events that were made by hand: nothing recorded who called whom, so it is read from their times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from .function_event import FunctionEvent


def nest(events: Iterable[FunctionEvent]) -> None:
    """Give every call its parent and children, thread by thread; what runs on a device has neither."""
    threads = defaultdict(list)
    for event in events:
        if event._is_call():
            threads[event.thread, event.node_id].append(event)
    for of_thread in threads.values():
        _nest_thread(sorted(of_thread, key=lambda e: (e.time_range.start, -e.time_range.end)))


def without_repetitions(events: Iterable[FunctionEvent]) -> list[FunctionEvent]:
    """The events but for those that only repeat their parent."""
    return [event for event in events if not _repeats(event)]


def _nest_thread(events: list[FunctionEvent]) -> None:
    """An event that outlives the last open one is no child of it, and closes it."""
    still_open: list[FunctionEvent] = []
    for event in events:
        while still_open and not (event.time_range.start < still_open[-1].time_range.end
                                  and event.time_range.end <= still_open[-1].time_range.end):
            still_open.pop()
        if still_open:
            still_open[-1].append_cpu_child(event)
            event.set_cpu_parent(still_open[-1])
        still_open.append(event)


def _repeats(event: FunctionEvent) -> bool:
    """Whether an event only repeats its parent; if so, its children and kernels become the parent's."""
    parent = event.cpu_parent
    if parent is None or parent.name != event.name or len(parent.cpu_children) != 1:
        return False
    parent.cpu_children = event.cpu_children
    parent.kernels = [*parent.kernels, *event.kernels]
    for child in event.cpu_children:
        child.set_cpu_parent(parent)
    return True
