"""EventList: the list of events or of averages, with its ways out."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable

from ..views.averages import FunctionEventAvg, averages
from ..views.events import Events
from ..views.lazy_list import LazyList
from ..views.nesting import nest, without_repetitions
from . import chrome, column_widths, text
from .notebook_html import averages_html, events_html
from .stacks import METRICS, export_stacks

# What tables are sorted by; rows have other attributes besides.
SORTED_BY = ("self_cpu_time_total", "cpu_time_total", "cpu_time", "self_device_time_total", "device_time_total",
             "self_cpu_memory_usage", "cpu_memory_usage", "self_device_memory_usage", "device_memory_usage", "count",
             "flops", "key")
NEAR = 0.4


class EventList(LazyList):
    """A list of FunctionEvents or of FunctionEventAvgs."""

    __module__ = "mindtorch_v2.autograd.profiler_util"
    _dropped = ""  # what the table's footer says of events that were not kept

    def __init__(self, *args, **kwargs):
        self._use_device = kwargs.pop("use_device", None)
        self._profile_memory = kwargs.pop("profile_memory", False)
        self._with_flops = kwargs.pop("with_flops", False)
        self._are_averages = kwargs.pop("are_averages", False)
        super().__init__(*args, **kwargs)
        self._tree_built = False

    @classmethod
    def of_profile(cls, events: Events) -> EventList:
        """All events of a profile; their tree is part of the profile."""
        window = events.visible.source.window
        events_of_profile = cls.over(events, profile_memory=window.profile_memory, with_flops=window.with_flops,
                        use_device=window.device or None)
        events_of_profile._tree_built = True
        if window.dropped:
            kept = f"overflow={window.overflow!r} keeps the {window.overflow}"
            events_of_profile._dropped = f"Events dropped: {window.dropped} ({kept})"
        return events_of_profile

    def _build_tree(self) -> None:
        """Find out who called whom in a list made by hand."""
        self._populate_cpu_children()
        self._remove_dup_nodes()
        self._tree_built = True

    def _populate_cpu_children(self) -> None:
        """Read from the events' times which lies in which."""
        self._store()
        nest(self)

    def _remove_dup_nodes(self) -> None:
        """Leave out events that only repeat their parent."""
        self[:] = without_repetitions(self)

    def __str__(self):
        return self.table()

    def _repr_html_(self) -> str:
        """What a notebook shows: a few rows as a table."""
        are_averages = self._are_averages or (len(self) > 0 and not hasattr(self[0], "time_range"))
        return (averages_html if are_averages else events_html)(self)

    def _options(self) -> dict:
        return {"use_device": self._use_device, "profile_memory": self._profile_memory, "with_flops": self._with_flops,
                "are_averages": self._are_averages}

    @property
    def self_cpu_time_total(self):
        """Time of all events together, each counted without its children."""
        if isinstance(self._source, Events):
            return float(self._source.visible.self_ns.sum()) / 1000
        return sum(event.self_cpu_time_total for event in self)

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False, time_unit=None) -> str:
        """The rows as text, as torch prints them."""
        if not len(self):
            return ""
        rows, known = self._ranked(sort_by)
        use_device = self[0].use_device
        if known.device_time and not use_device:
            raise RuntimeError("use_device is None, but there is device performance data.")
        layout = text.Layout(max_src_column_width, max_name_column_width, max_shapes_column_width, self._with_flops,
                             self._profile_memory, time_unit, self._dropped, use_device)
        return text.table(rows, known, self.self_cpu_time_total, layout, header, row_limit, top_level_events_only)

    def _ranked(self, sort_by: str | None) -> tuple[Iterable, column_widths.ColumnWidths]:
        """The rows from the highest value on, and what a table must know of all of them."""
        # torch still takes the names of CUDA's columns for those of any device.
        by = sort_by and sort_by.replace("cuda", "device").replace("xpu", "device").replace("privateuse1", "device")
        if by is not None and not hasattr(self[0], by):
            raise AttributeError(_unknown(sort_by, self[0]))
        if isinstance(self._source, Events):
            rows, known = column_widths.ranked(self._source, by), column_widths.of_events(self._source)
        else:
            rows, known = (self if by is None else None), column_widths.of_rows(self)
        return sorted(self, key=lambda row: getattr(row, by), reverse=True) if rows is None else rows, known

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False) -> EventList:
        """One row per name, or per name and whatever else is asked for."""
        if not self._tree_built:
            raise AssertionError("Expected tree to be built before calling key_averages")
        wishes = group_by_input_shapes, group_by_stack_n, group_by_overload_name
        rows = averages(self._source, *wishes) if isinstance(self._source, Events) else _averages_of(self, *wishes)
        averaged = EventList(rows, **self._options() | {"are_averages": True})
        averaged._dropped = self._dropped
        return averaged

    def total_average(self) -> FunctionEventAvg:
        """The sum over everything, under the name Total."""
        total = FunctionEventAvg()
        # The groups of a profile add up to all its events.
        for part in averages(self._source, False, 0, False) if isinstance(self._source, Events) else self:
            total.key = part.key
            total.add(part)
        if len(self):
            total._describe(self[-1])
        total.key = "Total"
        return total

    def supported_export_stacks_metrics(self) -> list[str]:
        """What export_stacks can weigh stacks with."""
        return list(METRICS)

    def export_stacks(self, path, metric: str, *, with_ops: bool = False) -> None:
        """One line per stack: frames joined by ``;`` and the metric's value, as flame graph programs read it.
        With ``with_ops``, ranges and ops are frames, too."""
        export_stacks(self if self._source is None else self._source, path, metric, with_ops)

    def export_chrome_trace(self, path) -> None:
        """The rows as a trace a browser can show: events as torch writes them, averages in an object."""
        chrome.export_rows(self, path, self._are_averages)


def _unknown(sort_by: str, row) -> str:
    """That rows cannot be sorted by this, and by what they can."""
    known = [name for name in SORTED_BY if hasattr(row, name)]
    near = difflib.get_close_matches(sort_by, known, 1, NEAR)
    return (f"'{type(row).__name__}' object has no attribute '{sort_by}'. "
            + (f"Did you mean sort_by='{near[0]}'? " if near else "") + f"Rows can be sorted by {', '.join(known)}.")


def build_table(events, sort_by=None, header=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
                max_shapes_column_width=80, with_flops=False, profile_memory=False, top_level_events_only=False,
                time_unit=None) -> str:
    """Any events or averages as text."""
    rows = EventList(events, with_flops=with_flops, profile_memory=profile_memory)
    return rows.table(sort_by, row_limit, max_src_column_width, max_name_column_width, max_shapes_column_width, header,
                      top_level_events_only, time_unit)


def _averages_of(events, by_shape: bool, by_stack: int, by_overload: bool) -> list[FunctionEventAvg]:
    """The same for a list that the user has changed: event by event."""
    groups: dict[tuple, FunctionEventAvg] = defaultdict(FunctionEventAvg)
    for event in events:
        key = (event.key, event.node_id, str(event.device_type), event.is_legacy, event.is_user_annotation)
        key += (str(event.input_shapes),) if by_shape else ()
        key += (event.overload_name,) if by_overload else ()
        key += tuple((event.stack or [])[:by_stack]) if by_stack else ()
        groups[key].add(event)
    for group in groups.values():
        group.stack = (group.stack or [])[:by_stack]
        group.input_shapes = group.input_shapes if by_shape else ""
        group.overload_name = group.overload_name if by_overload else ""
    return list(groups.values())
