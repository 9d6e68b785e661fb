"""What happened to memory, by time: what was there before, allocations, new versions, releases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kineto.event_tree import EventTree
from .edges import Edges
from .given import NO_KEY, Keys
from .keys import Action
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
    time_ns = (memory["time_ns"] + tree.table.window.wall_offset_ns, np.full(len(older), BEFORE_NS),
               tree.began_ns(steps.node[edges.step[bumped]]))
    action = (np.where(allocated, np.int8(Action.CREATE.value), np.int8(Action.DESTROY.value)),
              np.full(len(older), Action.PREEXISTING.value, np.int8),
              np.full(len(bumped), Action.INCREMENT_VERSION.value, np.int8))
    key = of_change, older.astype(np.int32), bumped_key
    version = (np.where(allocated, 0, last_version[of_change]).astype(np.int32), np.zeros(len(older), np.int32),
               edges.version[bumped])
    nbytes = np.abs(memory["change"]), size[older], size[bumped_key]
    columns = list(map(np.concatenate, (time_ns, action, key, version, nbytes)))
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
