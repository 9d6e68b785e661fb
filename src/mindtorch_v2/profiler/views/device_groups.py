"""What devices add to averages: time and bytes of groups of calls, and groups of the activities themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..table.columns import OF_DEVICE, OF_MEMORY, USER_SCOPE
from .visible_events import VisibleEvents

NONE = -1


class DeviceGroup(NamedTuple):
    """Sums over visible rows that agree in name, kind and, where it was asked for, inputs and stack.

    ``count`` is 0 for calls, which are counted elsewhere.
    """

    name: int
    user: int
    inputs: int
    stack: int
    device_type: int
    first_ns: int
    count: int
    total_ns: int
    self_ns: int
    total_bytes: int
    self_bytes: int


def device_groups(visible: VisibleEvents, by_inputs: bool, by_stack: bool) -> Iterator[DeviceGroup]:
    """The groups of everything that a device did something for."""
    device, table = visible.device, visible.table
    flags, is_activity = table["flags"], (table["flags"] & OF_DEVICE) > 0
    sums = np.stack([device.total_ns, device.self_ns, device.total_bytes, device.self_bytes])
    # Of memory rows those that are of a device: they have bytes of it.
    rows = np.flatnonzero(is_activity | (sums != 0).any(axis=0))
    if not len(rows):
        return
    device_type = np.zeros(len(table), np.int64)
    device_type[is_activity] = device.activities["device_type"][device.number[is_activity]]
    none = np.full(len(rows), NONE)
    keys = np.stack([table["name"][rows], table["scope"][rows] == USER_SCOPE,
                     table["inputs"][rows] if by_inputs else none, visible.stack[rows] if by_stack else none * 0,
                     device_type[rows]], axis=1)
    distinct, group = np.unique(keys, axis=0, return_inverse=True)
    group = group.ravel()
    count = np.bincount(group, (flags[rows] & (OF_DEVICE | OF_MEMORY)) > 0, len(distinct))
    first_ns = np.full(len(distinct), np.iinfo(np.int64).max)
    np.minimum.at(first_ns, group, table["start_ns"][rows])
    totals = np.zeros((len(sums), len(distinct)), np.int64)
    for total, cells in zip(totals, sums):
        np.add.at(total, group, cells[rows])
    for cells in zip(*distinct.T.tolist(), first_ns.tolist(), count.astype(np.int64).tolist(), *totals.tolist()):
        yield DeviceGroup(*cells)
