"""The table and its views, on recordings small enough to be worked out by hand."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import numpy as np
import pytest

import mindtorch_v2
from mindtorch_v2.profiler.export.event_list import EventList
from mindtorch_v2.profiler.session.drain import Wishes, event_table
from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.table.event_table import EventTable, joined
from mindtorch_v2.profiler.views import tree
from mindtorch_v2.profiler.views.events import Events
from mindtorch_v2.profiler.views.visible_events import VisibleEvents

BUILD = runpy.run_path(str(Path(__file__).parent / "replayed.py"))
calls, recording = BUILD["calls"], BUILD["recording"]
ROOMS = Path(mindtorch_v2.__file__).parent / "profiler"


def table_of(made, memory=(), pauses=()) -> EventTable:
    wanted = recording(made, list(memory))
    return event_table(wanted, Wishes(profile_memory=True, with_stack=True), list(pauses), first_id=1)


def events_of(table) -> EventList:
    return EventList.of_profile(Events(VisibleEvents(table)))


def test_self_time_is_what_children_leave():
    events = events_of(table_of(calls(("a", 0, 100, -1), ("b", 10, 40, 0), ("c", 20, 30, 1), ("d", 50, 60, 0))))
    assert [(e.name, e.cpu_time_total, e.self_cpu_time_total) for e in events] == [
        ("a", 0.1, 0.06), ("b", 0.03, 0.02), ("c", 0.01, 0.01), ("d", 0.01, 0.01)]


def test_memory_goes_to_the_innermost_and_sums_over_the_subtree():
    memory = [(5, 64, 100, 0), (25, 128, 30, 2), (35, 128, -30, 1), (200, 64, -100, -1)]
    events = events_of(table_of(calls(("a", 0, 100, -1), ("b", 10, 40, 0), ("c", 20, 30, 1)), memory))
    assert [(e.name, e.cpu_memory_usage, e.self_cpu_memory_usage) for e in events] == [
        ("a", 100, 100), ("b", 0, -30), ("c", 30, 30), ("[memory]", -100, -100)]


def test_memory_of_a_left_out_event_is_its_parent_s():
    memory = [(12, 64, 100, 1)]
    events = events_of(table_of(calls(("a", 0, 100, -1), ("a", 10, 40, 0), ("c", 20, 30, 1)), memory))
    assert [(e.name, e.self_cpu_memory_usage) for e in events] == [("a", 100), ("c", 0)]
    assert events[1].cpu_parent is events[0]


@pytest.mark.parametrize("changes", [[(1, 64, -8)], [(1, 64, 8), (2, 64, -8), (3, 64, -8)]])
def test_a_release_without_its_allocation_is_marked(changes):
    memory = [(time, address, change, -1) for time, address, change in changes]
    table = table_of(calls(("a", 0, 100, -1)), memory)
    assert table.memory["seen"].tolist() == [1] * (len(changes) - 1) + [0]


def test_threads_stand_in_one_table_with_their_own_parents():
    wanted = recording(calls(("a", 0, 100, -1), ("b", 10, 20, 0)), [], calls(("c", 5, 50, -1), ("d", 6, 7, 0)), [])
    events = events_of(event_table(wanted, Wishes(), [], first_id=1))
    assert [(e.name, e.thread, e.cpu_parent and e.cpu_parent.name) for e in events] == [
        ("a", 1, None), ("c", 2, None), ("d", 2, "c"), ("b", 1, "a")]


def test_what_begins_in_a_pause_is_left_out_and_its_children_move_up():
    rows = calls(("a", 0, 100, -1), ("off", 10, 90, 0), ("on", 50, 60, 1))
    events = events_of(table_of(rows, [(15, 64, 8, 1), (55, 128, 4, 2)], [(5, 45)]))
    assert [(e.name, e.cpu_memory_usage) for e in events] == [("a", 4), ("on", 4)] and events[1].cpu_parent is events[0]


def test_joined_tables_keep_their_parents():
    parts = [table_of(calls(("a", t, t + 10, -1), ("b", t + 1, t + 2, 0)), [(t + 1, 64, 4, 1)]) for t in (0, 100)]
    events = events_of(joined(parts))
    assert [(e.name, e.cpu_memory_usage) for e in events] == [("a", 4), ("b", 4)] * 2
    assert events[3].cpu_parent is events[2]


def test_a_table_refuses_columns_that_are_not_declared():
    with pytest.raises(ValueError, match="columns missing: \\['flops'\\]; unknown: \\['flop'\\]"):
        given = columns.blank(columns.EVENTS)
        given["flop"] = given.pop("flops")
        EventTable(given, columns.blank(columns.MEMORY), [], [])
    with pytest.raises(ValueError, match="columns differ in length"):
        EventTable(columns.blank(columns.EVENTS) | {"name": np.zeros(3)}, columns.blank(columns.MEMORY), [], [])


def test_every_column_is_documented():
    assert all(c.doc.endswith(".") for c in columns.EVENTS + columns.MEMORY)


def test_depths_and_subtree_sums_of_a_deep_chain():
    parent = np.arange(-1, 4999)
    assert tree.depths(parent).tolist() == list(range(5000))
    assert tree.sum_over_subtree(parent, np.ones(5000, np.int64)).tolist() == list(range(5000, 0, -1))


@pytest.mark.parametrize(("room", "allowed"), [("table", {"table"}), ("views", {"table", "views"}),
                                               ("export", {"table", "views", "export"})])
def test_rooms_see_only_what_is_below_them(room, allowed):
    for file in (ROOMS / room).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level >= 2:
                assert node.level == 2 and node.module.partition(".")[0] in allowed, f"{file.name}: {node.module}"
            modules = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else \
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(module.startswith("mindtorch_v2") for module in modules)
