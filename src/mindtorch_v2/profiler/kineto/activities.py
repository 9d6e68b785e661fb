"""torch's activities: one for each event of the trace, in the trace's order, with what the trace says of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np

from ..export.json_text import dump
from ..table.cached_property import cached_property
from .raw_events import RawEvents, _KinetoEvent


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
        """The process."""
        return self._source.raw.pid(self._event._node)

    def resource_id(self) -> int:
        """The operating system's number of the thread."""
        return self._source.raw.os_id(self._event._node)

    def correlation_id(self) -> int:
        return self._event.correlation_id()

    def flow_id(self) -> int:
        return self._event.flow_id()

    def flow_type(self) -> int:
        return self._event.flow_type()

    def flow_start(self) -> bool:
        return self._event.flow_start()

    def linked_activity(self) -> _ITraceActivity | None:
        """What a device did for it; there is no device."""
        return None

    def linked_correlation_id(self) -> int:
        return 0

    def metadata_json(self) -> str:
        """What stands behind ``args`` in the trace, but for the id, as the inside of a JSON object."""
        return self._source.said.get(self._place, "")


class Activities:
    """A sequence of all activities."""

    def __init__(self, raw: RawEvents, save: Callable):
        self.raw, self._save = raw, save
        rows, total = raw.tree.rows, len(raw)
        starts = np.asarray(raw.tree.start_ns)[:rows]
        self._nodes = [*np.argsort(starts, kind="stable").tolist(), *range(rows, total)]

    def __reduce__(self):
        return Activities, (self.raw, self._save)

    def __len__(self) -> int:
        return len(self._nodes)

    def event(self, at: int) -> _ITraceActivity:
        return _ITraceActivity(self, at, _KinetoEvent(self.raw, self._nodes[at]))

    @cached_property
    def said(self) -> dict[int, str]:
        """The trace's words, by the place of the event in it."""
        text = io.StringIO()
        self._save(text, None)
        said = [event.get("args", {}) for event in json.loads(text.getvalue())["traceEvents"]]
        return {args["Ev Idx"]: dump({key: value for key, value in args.items() if key != "External id"})[1:-1]
                for args in said if "Ev Idx" in args}
