"""What happened to memory, by time: what was there before, allocations, new versions, releases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...record.places import ADDRESS_BITS
from ..kineto.event_tree import EventTree
from .edges import Edges
from .given import NO_KEY, Keys
from .keys import Action
from .rules import NO_CATEGORY, Categories
from .steps import Steps

BEFORE_NS = -1  # torch's time of what was there before


@dataclass(frozen=True)
class Timeline:
    """Per entry: when, what happened, to which version of which key (-1: memory of no tensor), its bytes, and on which
    device: the number that stands above addresses there."""

    time_ns: np.ndarray
    action: np.ndarray
    key: np.ndarray
    version: np.ndarray
    nbytes: np.ndarray
    place: np.ndarray


def timeline(tree: EventTree, steps: Steps, edges: Edges, keys: Keys, size: np.ndarray,
             place_of_allocation: np.ndarray) -> Timeline:
    """All entries; at the same time, in the order of actions."""
    memory, of_memory = tree.changes, tree.recorded.numbers.of_memory
    allocated = memory["change"] > 0
    of_change = keys.of_allocation[of_memory]
    last_version = np.append(np.maximum(edges.last_version, 0), 0)  # the last entry answers for no key
    is_older = edges.last_version >= 0
    is_older[of_change[allocated & (of_change != NO_KEY)]] = False
    older, bumped = np.flatnonzero(is_older), np.flatnonzero(edges.is_bumped)
    unnamed = _older_and_unnamed(allocated, of_change, of_memory)
    bumped_key, change, place = edges.key[bumped], np.abs(memory["change"]), memory["address"] >> ADDRESS_BITS
    place_of_key = place_of_allocation[keys.allocation]
    n_older = len(older) + len(unnamed)
    time_ns = (memory["time_ns"] + tree.table.window.wall_offset_ns, np.full(n_older, BEFORE_NS),
               tree.began_ns(steps.node[edges.step[bumped]]))
    action = (np.where(allocated, np.int8(Action.CREATE.value), np.int8(Action.DESTROY.value)),
              np.full(n_older, Action.PREEXISTING.value, np.int8),
              np.full(len(bumped), Action.INCREMENT_VERSION.value, np.int8))
    key = of_change, older.astype(np.int32), np.full(len(unnamed), NO_KEY, np.int32), bumped_key
    version = (np.where(allocated, 0, last_version[of_change]).astype(np.int32), np.zeros(n_older, np.int32),
               edges.version[bumped])
    nbytes = change, size[older], change[unnamed], size[bumped_key]
    places = place, place_of_key[older], place[unnamed], place_of_key[bumped_key]
    columns = list(map(np.concatenate, (time_ns, action, key, version, nbytes, places)))
    order = np.lexsort((columns[1], columns[0]))
    return Timeline(*(column[order] for column in columns))


def _older_and_unnamed(allocated: np.ndarray, of_change: np.ndarray, of_memory: np.ndarray) -> np.ndarray:
    """Releases of memory that is no tensor's here and was there before the profile."""
    was_allocated = np.zeros(int(of_memory.max(initial=0)) + 1, bool)
    was_allocated[of_memory[allocated]] = True
    return np.flatnonzero(~allocated & (of_change == NO_KEY) & ~was_allocated[of_memory])


@dataclass(frozen=True)
class Changes:
    """Per change: when, by which action, bytes more or less, and of which category; a new version takes its bytes
    from one and gives them to the other."""

    time_ns: np.ndarray
    action: np.ndarray
    change: np.ndarray
    category: np.ndarray
    place: np.ndarray

    def on(self, places: list[int]) -> Changes:
        """Those on some devices."""
        here = np.isin(self.place, places)
        return self if here.all() else Changes(*(column[here] for column in vars(self).values()))


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
    return Changes(entries.time_ns[entry], entries.action[entry], np.where(leaves, -nbytes, nbytes), category,
                   entries.place[entry])
