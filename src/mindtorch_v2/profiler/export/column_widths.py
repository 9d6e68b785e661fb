"""What a table must know of all rows before it prints the first: how wide columns get, and which there are.

Of the events of a profile it is read from columns, of any other list from the rows themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..views import inputs
from ..views.averages import frames_shown
from ..views.device_type import DeviceType
from ..views.events import Events

# Kinds of devices whose time the table's footer sums up.
SUMMED = (DeviceType.CUDA, DeviceType.PrivateUse1, DeviceType.MTIA, DeviceType.XPU)


class ColumnWidths(NamedTuple):
    """Lengths are of the longest text; None where no row has one, and the column does not apply."""

    name: int
    shapes: int | None = None
    frame: int | None = None
    smallest_flops: float | None = None
    overloads: bool = False
    node_ids: bool = False
    device_time: bool = False
    device_memory: bool = False
    device_total_us: float = 0.0  # of all activities of devices


def of_rows(rows: list) -> ColumnWidths:
    """Row by row."""
    with_shapes, frames = any(r.input_shapes for r in rows), frames_shown(rows)
    return ColumnWidths(
        name=max(len(r.key) for r in rows),
        shapes=max(len(str(r.input_shapes)) for r in rows) if with_shapes else None,
        frame=max(map(len, frames)) if frames else None,
        smallest_flops=min((r.flops for r in rows if (r.flops or 0) > 0), default=None),
        overloads=any(r.overload_name for r in rows), node_ids=any(r.node_id != -1 for r in rows),
        device_time=any(r.self_device_time_total > 0 for r in rows),
        device_memory=any(r.self_device_memory_usage > 0 for r in rows),
        device_total_us=sum(r.self_device_time_total for r in rows if _has_device_time(r)))


def _has_device_time(row) -> bool:
    """Whether a row is an activity of a device; rows of older profiles carry it themselves."""
    if row.device_type is DeviceType.CPU:
        return row.is_legacy
    return row.device_type in SUMMED and not row.is_user_annotation


def of_events(events: Events) -> ColumnWidths:
    """The same, asking each distinct name, set of inputs and stack once."""
    visible, table = events.visible, events.visible.table
    words, keys = visible.keys
    described = [inputs.shapes(table.inputs[n]) for n in _distinct(table["inputs"]) if n >= 0]
    frames = [len(frame) for frame in visible.frames_of(_distinct(visible.stack))]
    flops = table["flops"][table["flops"] > 0]
    return ColumnWidths(
        name=max(len(words[key]) for key in _distinct(keys)),
        shapes=max(len(str(shapes)) for shapes in described) if any(described) else None,
        frame=max(frames) if frames else None,
        smallest_flops=int(flops.min()) if len(flops) else None,
        overloads=any(events.overload_of(name) for name in _distinct(table["name"])),
        device_time=bool((visible.device.self_ns > 0).any()), device_memory=bool((visible.device.self_bytes > 0).any()),
        device_total_us=visible.device.activity_ns / 1000)


def _distinct(numbers: np.ndarray) -> list[int]:
    """The numbers from -1 on that occur."""
    return (np.flatnonzero(np.bincount(numbers.astype(np.int64) + 1)) - 1).tolist()


# What the rows of a profile can be ordered by without making them, and where it is read.
RANKED = {
    "cpu_time_total": lambda visible: visible.total_ns, "cpu_time": lambda visible: visible.total_ns,
    "self_cpu_time_total": lambda visible: visible.self_ns, "cpu_memory_usage": lambda visible: visible.total_bytes,
    "self_cpu_memory_usage": lambda visible: visible.self_bytes, "flops": lambda visible: visible.table["flops"],
    "device_time_total": lambda visible: visible.device.total_ns,
    "device_time": lambda visible: visible.device.total_ns,
    "self_device_time_total": lambda visible: visible.device.self_ns,
    "device_memory_usage": lambda visible: visible.device.total_bytes,
    "self_device_memory_usage": lambda visible: visible.device.self_bytes,
}


def ranked(events: Events, attribute: str | None) -> Iterable | None:
    """The events from the highest value on, equal ones in their order; None where the column is not known here."""
    if attribute is None:
        return map(events.event, range(len(events)))
    if attribute not in RANKED:
        return None
    order: Sequence[int] = np.argsort(-RANKED[attribute](events.visible), kind="stable")
    return (events.event(int(row)) for row in order)
