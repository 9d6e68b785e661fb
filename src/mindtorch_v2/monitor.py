"""torch.monitor: events that a program tells of, those who listen to them, and statistics told as events."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from .core.missing_name import answer_for_missing as _answer_for_missing
from .record.locks import new_lock

__all__ = ["Aggregation", "Event", "EventHandlerHandle", "Stat", "TensorboardEventHandler", "log_event",
           "register_event_handler", "unregister_event_handler"]


class Aggregation(Enum):
    """How the samples of a window become one number; VALUE is told of no window, as in torch."""

    VALUE, MEAN, COUNT, SUM, MAX, MIN = 0, 2, 3, 4, 5, 6

    def __int__(self) -> int:
        return self.value


_FUNCTIONS: dict[Aggregation, Callable[[list[float]], float]] = {
    Aggregation.SUM: sum, Aggregation.COUNT: len, Aggregation.MAX: max, Aggregation.MIN: min,
    Aggregation.MEAN: lambda samples: sum(samples) / len(samples)}


class Event:
    """What happened: a name, a time, and numbers or words by name."""

    def __init__(self, name: str, timestamp: datetime, data: Mapping[str, int | float | bool | str]) -> None:
        if not isinstance(name, str) or not isinstance(timestamp, datetime) or not isinstance(data, Mapping):
            raise TypeError("__init__(): incompatible constructor arguments. An Event is made of a name (str), a "
                            f"timestamp (datetime) and data (a dict), not of {type(name).__name__}, "
                            f"{type(timestamp).__name__} and {type(data).__name__}")
        for key, value in data.items():
            if not isinstance(key, str) or not isinstance(value, (int, float, str)):
                raise TypeError("__init__(): incompatible constructor arguments. The data of an Event are numbers and "
                                f"words by name, not {key!r}: {value!r}")
        self.name, self.timestamp = name, timestamp
        self.data = {key: float(value) if isinstance(value, bool) else value for key, value in data.items()}


class EventHandlerHandle:
    """What register_event_handler() gives, and unregister_event_handler() takes."""

    def __init__(self, handler: Callable[[Event], None]) -> None:
        self._handler = handler


_handlers: list[EventHandlerHandle] = []


def register_event_handler(callback: Callable[[Event], None]) -> EventHandlerHandle:
    """Have a function called with every event."""
    handle = EventHandlerHandle(callback)
    _handlers.append(handle)
    return handle


def unregister_event_handler(handler: EventHandlerHandle) -> None:
    """Have it called no more."""
    with contextlib.suppress(ValueError):
        _handlers.remove(handler)


def log_event(event: Event) -> None:
    """Tell those who listen."""
    for handle in list(_handlers):
        handle._handler(event)


class Stat:
    """Samples that are told as one event for each stretch of time, or for each so many of them."""

    def __init__(self, name: str, aggregations: Sequence[Aggregation], window_size: timedelta,
                 max_samples: int | None = None) -> None:
        if not isinstance(window_size, timedelta):
            raise TypeError("__init__(): incompatible constructor arguments. A Stat has a window_size of type "
                            f"timedelta, not {type(window_size).__name__}")
        self.name = name
        self._kinds = [kind for kind in _FUNCTIONS if kind in aggregations]
        self._window_s, self._most = window_size.total_seconds(), max_samples
        self._lock = new_lock()
        self._samples: list[float] = []
        self._window, self._is_told = self._window_now(), False
        self._last = dict.fromkeys(self._kinds, 0.0)

    def _window_now(self) -> int:
        return int(time.time() / self._window_s)

    @property
    def count(self) -> int:
        """How many samples the window has so far."""
        return len(self._samples)

    def add(self, v: float) -> None:
        """A sample."""
        with self._lock:
            event = self._begin_window()
            if not self._is_told:
                self._samples.append(float(v))
                if self._most is not None and len(self._samples) >= self._most:
                    self._is_told, event = True, self._finished()
        if event is not None:
            log_event(event)

    def get(self) -> dict[Aggregation, float]:
        """The numbers of the last window that was told of; zeros before."""
        with self._lock:
            event = self._begin_window()
        if event is not None:
            log_event(event)
        return dict(self._last)

    def _begin_window(self) -> Event | None:
        """The event of a window that is over."""
        window = self._window_now()
        if window == self._window:
            return None
        self._window, self._is_told = window, False
        return self._finished()

    def _finished(self) -> Event | None:
        """The event of the samples so far, which are forgotten."""
        samples, self._samples = self._samples, []
        if not samples:
            return None
        self._last = {kind: float(_FUNCTIONS[kind](samples)) for kind in self._kinds}
        return Event("torch.monitor.Stat", datetime.now(),
                     {f"{self.name}.{kind.name.lower()}": value for kind, value in self._last.items()})

    def __del__(self) -> None:
        if getattr(self, "_samples", None):
            log_event(self._finished())


class TensorboardEventHandler:
    """Writes events for TensorBoard, each number as a scalar."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def __call__(self, event: Event) -> None:
        for key, value in event.data.items():
            self._writer.add_scalar(key, value, walltime=event.timestamp.timestamp())


_answer_for_missing(__name__)
