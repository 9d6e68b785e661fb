"""BasicEvaluation: per event its own time, how far a device's queue had filled, and how long the device waited."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from ..views.device_type import DeviceType
from .search import argmax, index_of_first_match, source_code_location
from .traversal import traverse_dfs

# How the names of calls that launch kernels begin, and what names of other work on the device contain.
LAUNCHES = ("cudaLaunchKernel", "__cudaLaunchKernel", "cudaLaunchCooperativeKernel")
NOT_KERNELS = ("mem", "cpy", "alloc", "free")
FULL = 4  # from this depth on, a queue that runs empty is worth a look
SELF_TIME_WEIGHT = 0.6
LINE = "-" * 80


@dataclass
class EventMetrics:
    """What is worked out for an event."""

    duration_time_ns: int = 0
    self_time_ns: int = 0
    idle_time_ns: int = 0
    queue_depth: int = 0

    @property
    def fraction_idle_time(self) -> float:
        return self.idle_time_ns / self.duration_time_ns if self.duration_time_ns else 0.0


@dataclass
class Interval:
    """A stretch of time, and how many launched kernels were waiting in it."""

    start: int
    end: int
    queue_depth: int = 0


class EventKey:
    """An event as a key of a dict."""

    def __init__(self, event):
        self.event = event

    def __hash__(self):
        return hash(self.event.id)

    def __eq__(self, other):
        return isinstance(other, EventKey) and self.event.id == other.event.id

    def __repr__(self) -> str:
        return f"{self.event.name}"

    def intervals_overlap(self, intervals: list[Interval]) -> int:
        """How much of the event lies in any of the intervals."""
        total, reached = 0, self.event.start_time_ns
        for interval in sorted(intervals, key=lambda i: i.start):
            start, end = max(interval.start, reached), min(interval.end, self.event.end_time_ns)
            if end > start:
                total += end - start
                reached = end
        return total


class BasicEvaluation:
    """Metrics of all events of a profile."""

    def __init__(self, prof):
        self.profile = prof
        self.metrics: dict[EventKey, EventMetrics] = {}
        self.compute_self_time()
        self.event_keys = sorted(self.metrics, key=lambda key: key.event.start_time_ns)
        self.events = [key.event for key in self.event_keys]
        self.cuda_events: list = []
        self.queue_depth_list = self.compute_queue_depth()
        self.compute_idle_time()

    def compute_self_time(self) -> None:
        """An event's time without its children's."""
        # torch walks from the last root to the first; the order of the metrics shows it.
        for event in traverse_dfs(self.profile.kineto_results.experimental_event_tree()[::-1],
                                  children_fn=lambda e: e.children[::-1]):
            inner = sum(child.duration_time_ns for child in event.children)
            self.metrics[EventKey(event)] = EventMetrics(event.duration_time_ns, event.duration_time_ns - inner)

    def compute_queue_depth(self) -> list[Interval]:
        """How many kernels were launched but had not begun, at every launch and every kernel."""
        events = self.profile.kineto_results.events()
        launches = sorted((e for e in events if _name(e).startswith(LAUNCHES)), key=_start)
        kernels = sorted((e for e in events if _is_kernel(e)), key=_start)
        self.cuda_events = sorted([*launches, *kernels], key=_start)
        linked = {e.linked_correlation_id() for e in launches} & {e.linked_correlation_id() for e in kernels}
        launched = [_start(e) for e in launches if e.linked_correlation_id() in linked]
        begun = [_start(e) for e in kernels if e.linked_correlation_id() in linked]
        depths = []
        for event in self.cuda_events:
            depth = bisect_right(launched, _start(event)) - bisect_right(begun, _start(event))
            depths.append(Interval(_start(event), _start(event) + event.duration_ns(), max(depth, 0)))
        starts = [interval.start for interval in depths]
        for key in self.event_keys:
            at = bisect_right(starts, key.event.start_time_ns)
            self.metrics[key].queue_depth = depths[at - 1].queue_depth if at else 0
        return depths

    def compute_idle_time(self) -> None:
        """How long the device had nothing to do during each event: at both ends, and when its queue ran empty."""
        depths = self.queue_depth_list
        if not depths or not self.events:
            return
        idle = [Interval(self.events[0].start_time_ns, depths[0].start),
                Interval(depths[-1].end, self.events[-1].end_time_ns)]
        since = None
        for point in depths:
            if point.queue_depth == 0 and since is None:
                since = point.end
            elif point.queue_depth > 0 and since is not None:
                idle.append(Interval(since, point.start))
                since = None
        for key in self.event_keys:
            self.metrics[key].idle_time_ns = key.intervals_overlap(idle)

    def _falls(self) -> list[Interval]:
        """Stretches in which a full queue ran empty, found from the end."""
        points = self.queue_depth_list[::-1]
        depths = [point.queue_depth for point in points]
        falls, at = [], 0
        while at < len(depths):
            if depths[at] == 0:
                for before in range(at + 1, len(depths)):
                    empty = index_of_first_match(depths, lambda depth: depth <= 0, start=before)
                    peak = argmax(depths, start=before, end=empty)
                    if peak is not None and depths[peak] >= FULL:
                        falls.append(Interval(points[peak].start, points[at].start))
                        at = at if empty is None else empty
                        break
            at += 1
        return falls

    def rank_events(self, length: int) -> list[EventKey]:
        """The events during which a queue ran empty, those first that idled and worked longest themselves."""
        falls = self._falls()
        overlapping = [key for key in self.metrics if key.intervals_overlap(falls)]
        if not overlapping:
            return []
        scores = (_standard([self.metrics[key].fraction_idle_time for key in overlapping])
                  + SELF_TIME_WEIGHT * _standard([self.metrics[key].self_time_ns for key in overlapping]))
        order = sorted(range(len(overlapping)), key=lambda i: scores[i], reverse=True)
        return [overlapping[i] for i in order[:length]]

    def get_optimizable_events(self, length: int = 1, print_enable: bool = True) -> list[EventKey]:
        """The first of the ranking, printed if wanted."""
        ranked = self.rank_events(length)
        if print_enable:
            print("\n".join(["Optimizable events:", *map(self._report, ranked)]) if ranked
                  else "No events to optimize\n")
        return ranked

    def _report(self, key: EventKey) -> str:
        return (f"{LINE}\nEvent:                {key.event.name}\n"
                f"Source code location: {source_code_location(key.event)}\n"
                f"Percentage idle time: {self.metrics[key].fraction_idle_time * 100:.2f}%\n{LINE}")


def _name(event) -> str:
    return event.name() if callable(event.name) else event.name


def _is_kernel(event) -> bool:
    return event.device_type() == DeviceType.CUDA and not any(word in _name(event).lower() for word in NOT_KERNELS)


def _start(event) -> int:
    return event.start_ns()


def _standard(values: list[float]) -> np.ndarray:
    """Distances from the mean in standard deviations; zeros where all are equal."""
    array = np.array(values, np.float64)
    spread = array.std(ddof=1) if len(array) > 1 else 0.0
    return (array - array.mean()) / spread if spread else np.zeros(len(array))
