"""What happened to memory, by time: what was there before, allocations, new versions, releases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kineto.event_tree import EventTree
from .edges import Edges
from .given import NO_KEY, Keys
from .keys import Action, Category
from .rules import NO_CATEGORY, Categories
from .steps import Steps

BEFORE_NS = -1  # torch's time of what was there before


@dataclass(frozen=True)
class Timeline:
    """Per entry: when, what happened, to which version of which key (-1: memory of no tensor), and its bytes."""

    time_ns: np.ndarray
    action: np.ndarray
    key: np.ndarray
    version: np.ndarray
    nbytes: np.ndarray


def timeline(tree: EventTree, steps: Steps, edges: Edges, keys: Keys, size: np.ndarray) -> Timeline:
    """All entries; at the same time, in the order of actions."""
    memory = tree.table.memory
    allocated = memory["change"] > 0
    of_change = keys.of_allocation[tree.recorded.numbers.of_memory]
    last_version = np.append(np.maximum(edges.last_version, 0), 0)  # the last entry answers for no key
    is_older = edges.last_version >= 0
    is_older[of_change[allocated & (of_change != NO_KEY)]] = False
    older, bumped = np.flatnonzero(is_older), np.flatnonzero(edges.is_bumped)
    bumped_key = edges.key[bumped]
    parts = (
        (np.asarray(tree.start_ns)[tree.rows:], np.where(allocated, Action.CREATE.value, Action.DESTROY.value),
         of_change, np.where(allocated, 0, last_version[of_change]), np.abs(memory["change"])),
        (np.full(len(older), BEFORE_NS), np.full(len(older), Action.PREEXISTING.value), older,
         np.zeros(len(older), np.int64), size[older]),
        (steps.start_ns[edges.step[bumped]], np.full(len(bumped), Action.INCREMENT_VERSION.value), bumped_key,
         edges.version[bumped], size[bumped_key]),
    )
    columns = [np.concatenate(column).astype(kind) for column, kind in zip(zip(*parts), ("i8", "i1", "i4", "i4", "i8"))]
    order = np.lexsort((columns[1], columns[0]))
    return Timeline(*(column[order] for column in columns))


@dataclass(frozen=True)
class Changes:
    """Per change: when, by which action, bytes more or less, and of which category; a new version takes its bytes
    from one and gives them to the other."""

    time_ns: np.ndarray
    action: np.ndarray
    change: np.ndarray
    category: np.ndarray


def changes(entries: Timeline, edges: Edges, categories: Categories) -> Changes:
    """The timeline as bytes that come and go."""
    is_bump = entries.action == Action.INCREMENT_VERSION.value
    entry = np.repeat(np.arange(len(is_bump)), 1 + is_bump)
    is_second = np.diff(entry, prepend=-1) == 0
    leaves = (entries.action[entry] == Action.DESTROY.value) | (is_bump[entry] & ~is_second)
    key = entries.key[entry]
    has_key = key != NO_KEY
    category = np.full(len(entry), NO_CATEGORY, np.int8)
    value = (edges.base[key] + entries.version[entry] + is_second)[has_key]
    category[has_key] = categories.of_value[value]
    nbytes = entries.nbytes[entry]
    return Changes(entries.time_ns[entry], entries.action[entry], np.where(leaves, -nbytes, nbytes), category)


def coalesced(all_changes: Changes, order: tuple[Category | None, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Times in microseconds, and behind a zero, torch's floor, bytes alive per category after each.

    What was there before stands at the first change after it.
    """
    time_us = microseconds(all_changes.time_ns)
    last = np.flatnonzero(np.diff(time_us, append=-1)) if len(time_us) else time_us
    alive = np.zeros((len(last), 1 + len(order)), np.int64)
    for column, category in enumerate(order, 1):
        number = NO_CATEGORY if category is None else category.value
        mine = np.where(all_changes.category == number, all_changes.change, 0)
        if mine.any():
            alive[:, column] = np.cumsum(mine)[last]
    times = time_us[last]
    if len(times) > 1 and times[0] == 0:
        times[0] = times[1]
    return times, alive


def microseconds(time_ns: np.ndarray) -> np.ndarray:
    """``int(time_ns / 1000)`` as Python divides: rounded to what a float can hold, then cut off."""
    whole, rest = np.divmod(time_ns, 1000)
    return (whole + rest / 1000).astype(np.int64)
