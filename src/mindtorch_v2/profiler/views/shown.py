"""The events as torch's ``events()`` shows them: nested, without repetitions, memory outside events in rows."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ..table import columns
from ..table.event_table import EventTable
from . import tree

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"


def rewrite_name(name: str, with_wildcard: bool = False) -> str:
    """torch counts all steps as one: ``ProfilerStep#4`` is shown as ``ProfilerStep*``."""
    if with_wildcard and name.startswith("ProfilerStep#"):
        return "ProfilerStep*"
    return name


class Shown:
    """A table ready to be looked at; what costs something is computed when it is first asked for."""

    def __init__(self, table: EventTable):
        own_ns = tree.self_ns(table["parent"], table["start_ns"], table["end_ns"])
        table, own_ns = _without_duplicates(_nested(table), own_ns)
        table = _with_memory_rows(table)
        order = np.argsort(table["start_ns"], kind="stable")  # a parent was recorded before a child of the same start
        self.table = table.pick(order, table["parent"][order])
        self.self_ns = np.append(own_ns, np.zeros(len(table) - len(own_ns), np.int64))[order]

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def keys(self) -> tuple[list[str], np.ndarray]:
        """The names on show, and each row's number among them."""
        return shown_names(self.table)

    @cached_property
    def total_ns(self) -> np.ndarray:
        return self.table["end_ns"] - self.table["start_ns"]

    @cached_property
    def self_bytes(self) -> np.ndarray:
        """Bytes allocated less bytes released while the row was the innermost one."""
        memory = self.table.memory
        charged = (memory["event"] >= 0) & (memory["seen"] > 0)
        return np.bincount(memory["event"][charged], memory["change"][charged], len(self.table)).astype(np.int64)

    @cached_property
    def total_bytes(self) -> np.ndarray:
        return tree.sum_over_subtree(self.table["parent"], self.self_bytes)

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        return tree.children_index(self.table["parent"])

    @cached_property
    def flow_ids(self) -> np.ndarray:
        return flows(self.table)


def shown_names(table: EventTable) -> tuple[list[str], np.ndarray]:
    """Each distinct name as it is shown, and per row its number; overloads of an op share theirs."""
    used, place = np.unique(table["name"], return_inverse=True)
    words: dict[str, int] = {}
    numbers = [words.setdefault(rewrite_name(table.names[n][0], True), len(words)) for n in used]
    return list(words), np.array(numbers, np.int32)[place] if len(used) else np.zeros(0, np.int32)


def _nested(table: EventTable) -> EventTable:
    parent = tree.containing_parents(table["parent"], table["end_ns"])
    return replace(table, events=dict(table.events, parent=parent))


def _without_duplicates(table: EventTable, own_ns: np.ndarray) -> tuple[EventTable, np.ndarray]:
    """torch leaves out an event that only repeats its parent; its children, memory and time become the parent's."""
    parent = table["parent"]
    repeated = tree.duplicates(parent, shown_names(table)[1])
    if not repeated.any():
        return table, own_ns
    keep = ~repeated
    above = tree.kept_parents(parent, keep)
    np.add.at(own_ns, above[repeated], own_ns[repeated])
    event = table.memory["event"].copy()
    inside = event >= 0
    event[inside] = np.where(keep[event[inside]], event[inside], above[event[inside]])
    rows = np.flatnonzero(keep)
    return replace(table, memory=dict(table.memory, event=event)).pick(rows, above[rows]), own_ns[rows]


def _with_memory_rows(table: EventTable) -> EventTable:
    """Memory that changed outside any event gets an event of its own."""
    outside = np.flatnonzero((table.memory["event"] < 0) & (table.memory["seen"] > 0))
    if not len(outside):
        return table
    extra = columns.blank(columns.EVENTS, len(outside))
    extra["start_ns"] = extra["end_ns"] = table.memory["time_ns"][outside]
    extra["thread"] = extra["forward_thread"] = table.memory["thread"][outside]
    extra["name"][:] = len(table.names)
    for column in ("sequence", "parent", "inputs"):
        extra[column][:] = -1
    extra["flags"][:] = columns.OF_MEMORY
    extra["id"] = table["id"].max(initial=0) + 1 + np.arange(len(outside))
    event = table.memory["event"].copy()
    event[outside] = len(table) + np.arange(len(outside))
    events = {name: np.concatenate([array, extra[name]]) for name, array in table.events.items()}
    return replace(table, events=events, memory=dict(table.memory, event=event),
                   names=[*table.names, (MEMORY_EVENT_NAME, "")])


def flows(table: EventTable) -> np.ndarray:
    """Arrows from a forward op to its backward node: a number on both rows, 0 elsewhere.

    The op is the last one that carries the node's sequence number on the node's forward thread: the others only
    called it, or came before it without needing a gradient. torch numbers the arrows in the order of the nodes.
    """
    ids = np.zeros(len(table), np.int64)
    numbered = table["sequence"] >= 0
    backward = np.flatnonzero(numbered & (table["scope"] == 1))
    forward = np.flatnonzero(numbered & (table["scope"] == 0) & (table["forward_thread"] == 0))[::-1]
    if not len(backward) or not len(forward):
        return ids
    nodes = _thread_and_sequence(table["forward_thread"][backward], table["sequence"][backward])
    _, first = np.unique(nodes, return_index=True)
    first.sort()
    backward, nodes = backward[first], nodes[first]
    calls = _thread_and_sequence(table["thread"][forward], table["sequence"][forward])
    calls, last = np.unique(calls, return_index=True)
    at = np.minimum(np.searchsorted(calls, nodes), len(calls) - 1)
    matched = calls[at] == nodes
    heads, tails = forward[last[at[matched]]], backward[matched]
    ids[heads] = ids[tails] = np.arange(1, len(heads) + 1)
    return ids


def _thread_and_sequence(thread: np.ndarray, sequence: np.ndarray) -> np.ndarray:
    return thread.astype(np.int64) << 48 | sequence
