"""The table as text, in torch's layout: header, width, alignment and cell of a column are one value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ..views.formatting import format_memory, format_time_in, format_time_share
from .call_stacks import bounded
from .column_widths import ColumnWidths

WIDTH = 12
SPACING = 2
FLOPS_UNITS = ("FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs")
TOP_LEVEL_NOTE = "This report only display top-level ops statistics"


class Column(NamedTuple):
    """Header, cell and width; ``more`` are the lines below a row's first, for a cell that has several."""

    header: str
    cell: Callable[[Any], str]
    width: int = WIDTH
    align: str = ">"
    more: Callable[[Any], list[str]] | None = None


class Layout(NamedTuple):
    """How wide columns may get, which are wanted, and in which unit times are shown."""

    max_src_column_width: int | None = 75
    max_name_column_width: int | None = 55
    max_shapes_column_width: int | None = 80
    with_flops: bool = False
    profile_memory: bool = False
    time_unit: str | None = None
    dropped: str = ""  # a line about events that were not kept
    use_device: str | None = None  # profiled beside the processor


def table(rows: Iterable, widths: ColumnWidths, total_us: float, layout: Layout, header: str | None = None,
          row_limit: int = 100, top_level_events_only: bool = False) -> str:
    """Rows as text, as many as wanted; the widths are of all of them."""
    columns = list(columns_for(widths, total_us, layout))
    rule = _line(columns, ["-" * c.width for c in columns])
    wide = "=" * (sum(c.width + SPACING for c in columns) - SPACING)
    lines = []
    if header is not None:
        lines += [wide, header]
    if top_level_events_only:
        lines += [wide, TOP_LEVEL_NOTE]
    lines += [rule, _line(columns, [c.header for c in columns]), rule]
    for row in _limited(rows, row_limit, top_level_events_only):
        lines += _row_lines(columns, row)
    lines += [rule, f"Self CPU time total: {format_time_in(total_us, layout.time_unit)}"]
    if widths.device_time:
        lines.append(f"Self {layout.use_device.upper()} time total: "
                     f"{format_time_in(widths.device_total_us, layout.time_unit)}")
    lines += [layout.dropped, ""] if layout.dropped else [""]
    return "\n".join(lines)


def columns_for(widths: ColumnWidths, total_us: float, layout: Layout) -> Iterator[Column]:
    """The columns that apply to these rows, in torch's order."""
    unit = layout.time_unit
    name_width = _width(widths.name, layout.max_name_column_width)
    yield Column("Name", lambda r: _cut_end(r.key, layout.max_name_column_width), name_width)
    if widths.overloads:
        yield Column("Overload Name", lambda r: _cut_end(r.overload_name, layout.max_name_column_width), name_width)
    yield Column("Self CPU %", lambda r: format_time_share(r.self_cpu_time_total, total_us))
    yield Column("Self CPU", lambda r: format_time_in(r.self_cpu_time_total, unit))
    yield Column("CPU total %", lambda r: "0" if r.is_async else format_time_share(r.cpu_time_total, total_us))
    yield Column("CPU total", lambda r: format_time_in(r.cpu_time_total, unit))
    yield Column("CPU time avg", lambda r: format_time_in(r.cpu_time, unit))
    if widths.device_time:
        yield from _device_columns(layout.use_device.upper(), widths.device_total_us, unit)
    if layout.profile_memory:
        yield Column("CPU Mem", lambda r: format_memory(r.cpu_memory_usage))
        yield Column("Self CPU Mem", lambda r: format_memory(r.self_cpu_memory_usage))
        if layout.use_device and widths.device_memory:
            yield Column(f"{layout.use_device.upper()} Mem", lambda r: format_memory(r.device_memory_usage))
            yield Column(f"Self {layout.use_device.upper()} Mem", lambda r: format_memory(r.self_device_memory_usage))
    yield Column("# of Calls", lambda r: str(r.count))
    if widths.node_ids:
        yield Column("Node ID", lambda r: str(r.node_id))
    if widths.shapes is not None:
        limit = layout.max_shapes_column_width
        yield Column("Input Shapes", lambda r: str(r.input_shapes)[:limit], _width(widths.shapes, limit))
    if widths.frame is not None:
        yield _source_column(_width(widths.frame, layout.max_src_column_width), layout.max_src_column_width)
    if layout.with_flops and widths.smallest_flops is not None:
        yield _flops_column(widths.smallest_flops)


def _device_columns(device: str, total_us: float, unit: str | None) -> Iterator[Column]:
    """Time on a device; that of calls counts again in the activities they launched, as in torch."""
    yield Column(f"Self {device}", lambda r: format_time_in(r.self_device_time_total, unit))
    yield Column(f"Self {device} %", lambda r: format_time_share(r.self_device_time_total, total_us))
    yield Column(f"{device} total", lambda r: format_time_in(r.device_time_total, unit))
    yield Column(f"{device} time avg", lambda r: format_time_in(r.device_time, unit))


def _source_column(width: int, limit: int | None) -> Column:
    return Column("Source Location", lambda r: _cut_start(r.stack[0], limit) if r.stack else "", width, "<",
                  lambda r: [_cut_start(frame, limit) for frame in bounded(r.stack or [])[1:]] + [""])


def _flops_column(smallest: float) -> Column:
    """Scaled by the smallest count, as torch scales it."""
    scale = min(int(math.log10(smallest) / 3), len(FLOPS_UNITS) - 1)
    return Column(f"Total {FLOPS_UNITS[scale]}",
                  lambda r: f"{r.flops / 1000**scale:8.3f}" if (r.flops or 0) > 0 else "--")


def _row_lines(columns: list[Column], row) -> list[str]:
    lines = [_line(columns, [c.cell(row) for c in columns])]
    below = [c.more(row) if c.more else [] for c in columns]
    for i in range(max(map(len, below))):
        lines.append(_line(columns, [cells[i] if i < len(cells) else "" for cells in below]))
    return lines


def _line(columns: list[Column], cells: list[str]) -> str:
    return "".join(f"{cell:{c.align}{c.width}}" + " " * SPACING for c, cell in zip(columns, cells))


def _limited(rows: Iterable, limit: int, top_level_only: bool) -> Iterable:
    shown = 0
    for row in rows:
        if shown == limit:
            return
        if top_level_only and row.cpu_parent is not None:
            continue
        shown += 1
        yield row


def _width(longest: int, limit: int | None) -> int:
    return longest + 4 if limit is None else min(longest + 4, limit)


def _cut_end(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) < limit - 3 else text[:limit - 3] + "..."


def _cut_start(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) <= limit else "..." + text[3 - limit:]
