"""torch's activities: one for each event of the trace, in the trace's order, with what the trace says of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np

from ..export.json_text import dump
from ..table.cached_property import cached_property
from ..views.device_events import ACTIVITY_TYPES
from .kineto_event import _KinetoEvent
from .raw_events import RawEvents


class _ITraceActivity:
    """One event of the trace; torch's tools call its fields."""

    __slots__ = ("_event", "_place", "_source")

    def __init__(self, source: Activities, place: int, event: _KinetoEvent):
        self._source, self._place, self._event = source, place, event

    def __reduce__(self):
        return _ITraceActivity, (self._source, self._place, self._event)

    def name(self) -> str:
        overload = self._event.overload_name()
        return f"{self._event.name()}.{overload}" if overload else self._event.name()

    def type(self) -> str:
        return self._event.activity_type()

    def timestamp(self) -> int:
        """The start in nanoseconds since the epoch."""
        return self._event.start_ns()

    def duration(self) -> int:
        return self._event.duration_ns()

    def device_id(self) -> int:
        """The process, or the device."""
        return self._event.device_index() if self._is_of_device() else self._source.raw.pid(self._event._node)

    def resource_id(self) -> int:
        """The operating system's number of the thread, or the stream."""
        return self._event.device_resource_id() if self._is_of_device() else self._source.raw.os_id(self._event._node)

    def _is_of_device(self) -> bool:
        return self._event.activity_type() in ACTIVITY_TYPES

    def correlation_id(self) -> int:
        return self._event.correlation_id()

    def flow_id(self) -> int:
        return self._event.flow_id()

    def flow_type(self) -> int:
        return self._event.flow_type()

    def flow_start(self) -> bool:
        return self._event.flow_start()

    def linked_activity(self) -> _ITraceActivity | None:
        """The call that launched what a device did; None for what nobody launched."""
        return self._source.by_id(self.linked_correlation_id()) if self._is_of_device() else None

    def linked_correlation_id(self) -> int:
        return self._event.linked_correlation_id()

    def metadata_json(self) -> str:
        """What stands behind ``args`` in the trace, but for the id, as the inside of a JSON object."""
        return self._source.said.get(self._place, "")


class Activities:
    """A sequence of all activities."""

    def __init__(self, raw: RawEvents, save: Callable):
        self.raw, self._save = raw, save
        rows, total = raw.tree.rows, len(raw)
        starts = np.asarray(raw.tree.start_ns)[:rows]
        self._nodes = [*np.argsort(starts, kind="stable").tolist(), *range(rows, total)]  # as the trace has them

    def __reduce__(self):
        return Activities, (self.raw, self._save)

    def __len__(self) -> int:
        return len(self._nodes)

    def event(self, at: int) -> _ITraceActivity:
        return _ITraceActivity(self, at, self.raw.of_node(self._nodes[at]))

    def by_id(self, number: int) -> _ITraceActivity | None:
        """The activity of an op or range by its id."""
        row = int(self.raw.tree.table.rows_of(np.array([number]))[0])
        return None if row < 0 else self.event(self._nodes.index(row))

    @cached_property
    def said(self) -> dict[int, str]:
        """The trace's words, by the place of the event in it."""
        text = io.StringIO()
        self._save(text, None)
        said = [event.get("args", {}) for event in json.loads(text.getvalue())["traceEvents"]]
        return {args["Ev Idx"]: dump({key: value for key, value in args.items() if key != "External id"})[1:-1]
                for args in said if "Ev Idx" in args}
