"""Edges: what each step reads, writes, makes and drops, with versions counted per key.

A value is a key at a version. Values are numbered key by key and version by version, so a key's first is number
``Edges.base[key]``, and the value before a written one is the number before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kineto.event_tree import EventTree
from ..table.cached_property import cached_property
from .given import NO_KEY, Given, Keys
from .signatures import UNKNOWN, WRITTEN
from .steps import NONE, Steps

# What happens to a key in a step, as bits. It gets a new version where it is changed, and neither made nor dropped.
MADE, CHANGED, DROPPED = 1, 2, 4


@dataclass(frozen=True)
class Edges:
    """One edge per step and key that meet, step by step; ``first`` says where those of a step begin."""

    step: np.ndarray
    key: np.ndarray
    what: np.ndarray
    version: np.ndarray  # that came in
    first: np.ndarray
    last_version: np.ndarray  # per key; -1 where no step meets it

    @cached_property
    def base(self) -> np.ndarray:
        """The number of each key's first value; behind the last, how many values there are."""
        return np.concatenate([[0], np.cumsum(self.last_version + 1)]).astype(np.int32)

    is_made = property(lambda self: (self.what & MADE) > 0)
    is_changed = property(lambda self: (self.what & CHANGED) > 0)
    is_dropped = property(lambda self: (self.what & DROPPED) > 0)
    is_bumped = property(lambda self: self.what == CHANGED)

    def read(self) -> np.ndarray:
        """The value that came in, or -1."""
        return np.where(self.is_made, NONE, self.base[self.key] + self.version)

    def written(self) -> np.ndarray:
        """The value that was made or changed, or -1."""
        stays = (self.is_made & ~self.is_dropped) | self.is_bumped
        return np.where(stays, self.base[self.key] + np.where(self.is_bumped, self.version + 1, 0), NONE)


def edges(tree: EventTree, steps: Steps, step_of_node: np.ndarray, keys: Keys, given: Given) -> Edges:
    """A key that is met again after it was dropped, as by threads that overlap, keeps the version it had."""
    step, key, what = _meetings(tree, steps, step_of_node, keys, given)
    place = step.astype(np.int64) * max(len(keys), 1) + key
    order = np.argsort(place, kind="stable")
    place = place[order]
    begins = np.flatnonzero(np.diff(place, prepend=-1))
    what = np.bitwise_or.reduceat(what[order], begins) if len(begins) else what
    step, key = step[order[begins]], key[order[begins]]
    version, last_version = _versions(key, what == CHANGED, len(keys))
    first = np.searchsorted(step, np.arange(len(steps) + 1)).astype(np.int32)
    return Edges(step, key, what, version, first, last_version)


def _meetings(tree: EventTree, steps: Steps, step_of_node: np.ndarray, keys: Keys,
              given: Given) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Step, key and what happens, of every given tensor and every memory change."""
    has_children = np.zeros(len(tree.parent) + 1, bool)
    has_children[tree.parent] = True
    step = step_of_node[given.row]
    is_a_step = np.append(steps.node, NONE)[step] == given.row
    # Of an op that torch knows nothing about and that calls nothing, it assumes the worst.
    guessed = (given.use == UNKNOWN) & ~has_children[given.row] & is_a_step
    changed = ((given.use == WRITTEN) | guessed) * np.int8(CHANGED)
    allocated = tree.changes["change"] > 0
    of_change = keys.of_allocation[tree.recorded.numbers.of_memory]
    steps_met = np.concatenate([step, step_of_node[tree.change_nodes]])
    keys_met = np.concatenate([given.key, of_change])
    what = np.concatenate([changed, np.where(allocated, MADE, DROPPED).astype(np.int8)])
    met = np.flatnonzero((steps_met != NONE) & (keys_met != NO_KEY))
    return steps_met[met], keys_met[met], what[met]


def _versions(key: np.ndarray, is_bumped: np.ndarray, n_keys: int) -> tuple[np.ndarray, np.ndarray]:
    """Per edge how often its key was written before; per key how often in all, or -1 for a key without edges."""
    order = np.argsort(key, kind="stable")
    ordered, bumped = key[order], is_bumped[order]
    before = np.cumsum(bumped, dtype=np.int32) - bumped
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    version = np.empty(len(key), np.int32)
    version[order] = before - np.repeat(before[begins], np.diff(begins, append=len(key)))
    last = np.full(n_keys, -1, np.int64)
    ends = order[np.append(begins[1:], len(key)) - 1] if len(begins) else order
    last[key[ends]] = version[ends] + is_bumped[ends]
    return version, last
