"""One pass over the rows: whatever the program did, every instant and every byte is counted once, in every grouping."""

from __future__ import annotations

import json
import runpy
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindtorch_v2.profiler.export.event_list import EventList
from mindtorch_v2.profiler.export.stacks import whole_microseconds
from mindtorch_v2.profiler.session.drain import Wishes, event_table
from mindtorch_v2.profiler.table.columns import BLOCK
from mindtorch_v2.profiler.views.events import Events
from mindtorch_v2.profiler.views.visible_events import VisibleEvents

BUILD = runpy.run_path(str(Path(__file__).parent / "replayed.py"))
calls, recording, names, inputs = (BUILD[name] for name in ("calls", "recording", "names", "inputs"))
OP, USER, PYTHON = 0, 7, 32
SHAPES = [inputs.number(tuple(((n,), "float32", (1,)) for _ in range(n))) for n in range(3)]


def events_of(made, memory=(), *more, **wishes) -> EventList:
    wishes = {"record_shapes": True, "profile_memory": True, "with_stack": True} | wishes
    table = event_table(recording(made, list(memory), *more), Wishes(**wishes), [], first_id=1)
    return EventList.of_profile(Events(VisibleEvents(table)))


steps = st.lists(st.tuples(st.sampled_from(["open", "open", "close", "memory"]), st.integers(0, 5),
                           st.sampled_from([OP, USER, PYTHON])), max_size=40)


def run(program) -> tuple[list, list]:
    """Rows and memory changes of a program that also closes ranges out of order."""
    made, chain, memory = [], [], []
    for now, (what, number, scope) in enumerate(program):
        if what == "open":
            made.append([now, 0, -1, names.number("abc"[number % 3]), chain[-1] if chain else -1, SHAPES[number % 3], 0,
                         scope, 0])
            chain.append(len(made) - 1)
        elif what == "close" and chain:
            made[chain[-1 - number % len(chain)]][1] = now
            while chain and made[chain[-1]][1]:
                chain.pop()
        elif what == "memory":
            memory.append((now, 64 * now + 64, 1 << number, chain[-1] if chain else -1))
    for row in made:
        row[1] = row[1] or len(program)
    return [tuple(row) for row in made], memory


@settings(max_examples=300)
@given(steps)
def test_every_instant_belongs_to_the_innermost_open_row(program):
    program = [("open", 0, OP), *program]
    made, memory = run(program)
    events = events_of(made, memory)
    own = sum(event.self_cpu_time_total for event in events)
    covered = sum(any(row[0] <= at < row[1] for row in made) for at in range(len(program))) / 1000
    assert own == pytest.approx(covered)
    assert all(event.self_cpu_time_total >= 0 for event in events)
    assert sum(e.self_cpu_memory_usage for e in events) == sum(change for _, _, change, _ in memory)


def grouped(rows) -> list[tuple]:
    fields = ("key", "count", "cpu_memory_usage", "self_cpu_memory_usage", "input_shapes", "stack", "scope",
              "is_user_annotation", "flops")
    return [(*(getattr(row, name) for name in fields), round(row.cpu_time_total, 6),
             round(row.self_cpu_time_total, 6)) for row in rows]


@settings(max_examples=200)
@given(steps, steps, st.booleans(), st.integers(0, 3))
def test_averages_are_those_of_the_events_one_by_one(first, second, by_shape, by_stack):
    events = events_of(*run(first), *run(second))
    one_by_one = EventList(list(events), profile_memory=True)
    one_by_one._tree_built = True
    assert grouped(events.key_averages(by_shape, by_stack)) == grouped(one_by_one.key_averages(by_shape, by_stack))


@settings(max_examples=100)
@given(steps, st.sampled_from([None, "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "count", "key"]))
def test_the_table_of_events_is_that_of_a_list_of_them(program, sort_by):
    rows, *rest = run(program)
    events = events_of([(row[0] * 1000, row[1] * 1000, *row[2:]) for row in rows], *rest)  # sums of whole µs are exact
    assert events.table(sort_by, 5) == EventList(list(events), profile_memory=True).table(sort_by, 5)


@settings(max_examples=50)
@given(steps)
def test_stacks_are_written_as_those_of_a_list_of_events(tmp_path_factory, program):
    made = [(row[0] * 1000, row[1] * 1000, *row[2:]) for row in run(program)[0]]
    events, paths = events_of(made), [tmp_path_factory.mktemp("stacks") / name for name in ("profile", "list")]
    for listed, path in zip((events, EventList(list(events))), paths):
        listed.export_stacks(path, "self_cpu_time_total")
    assert paths[0].read_bytes() == paths[1].read_bytes()


@settings(max_examples=50)
@given(steps)
def test_weights_of_stacks_add_up_to_the_own_time_of_all_events_in_python_calls(tmp_path_factory, program):
    made = [(row[0] * 1300, row[1] * 1300, *row[2:]) for row in run(program)[0]]
    events, path = events_of(made), tmp_path_factory.mktemp("stacks") / "stacks"
    events.export_stacks(path, "self_cpu_time_total")
    lines = [line.rsplit(" ", 1) for line in path.read_text().splitlines()]
    assert len({stack for stack, _ in lines}) == len(lines)
    expected_us = sum(event.self_cpu_time_total for event in events if event.stack or event.is_python_function)
    assert abs(sum(int(weight) for _, weight in lines) - expected_us) <= 0.5 + 1e-6


def test_a_thousand_short_events_of_one_stack_are_not_lost(tmp_path):
    events = events_of(calls(("main", 0, 10**6, -1, PYTHON), *(("op", 700 * i, 700 * i + 600, 0) for i in range(1000))))
    events.export_stacks(tmp_path / "stacks", "self_cpu_time_total")
    assert (tmp_path / "stacks").read_text() == "main 1000\n"  # 400 of its own


def test_the_own_time_of_a_python_call_stands_under_itself(tmp_path):
    events = events_of(calls(("main", 0, 90_000, -1, PYTHON), ("busy", 10_000, 80_000, 0, PYTHON),
                             ("op", 20_000, 25_000, 1), ("op", 85_000, 88_000, 0)))
    for listed in (events, EventList(list(events))):
        listed.export_stacks(tmp_path / "stacks", "self_cpu_time_total")
        assert sorted((tmp_path / "stacks").read_text().splitlines()) == ["main 20", "main;busy 70"]


def test_what_is_cut_off_goes_to_those_that_lost_most():
    assert whole_microseconds([1900, 1800, 1200, 100]) == [2, 2, 1, 0]
    assert whole_microseconds([]) == []


def test_a_stack_is_the_python_calls_above_an_event_the_innermost_first():
    events = events_of(calls(("main", 0, 90, -1, PYTHON), ("op", 1, 80, 0), ("inner", 2, 70, 1, PYTHON),
                             ("op2", 3, 60, 2), ("op3", 85, 86, 0)))
    assert [(e.name, e.stack) for e in events] == [
        ("main", []), ("op", ["main"]), ("inner", ["main"]), ("op2", ["inner", "main"]), ("op3", ["main"])]
    assert [(e.is_python_function, e.python_id, e.python_parent_id) for e in events] == [
        (True, 1, -1), (False, -1, -1), (True, 2, 1), (False, -1, -1), (False, -1, -1)]
    assert [(row.key, row.stack) for row in events.key_averages(group_by_stack_n=1)] == [
        ("main", []), ("op", ["main"]), ("inner", ["main"]), ("op2", ["inner"]), ("op3", ["main"])]


def test_stacks_of_any_depth():
    deep = 3 * BLOCK
    events = events_of(calls(*((f"f{i % 7}", i, 2 * deep - i, i - 1, PYTHON) for i in range(deep)),
                             ("op", deep, deep + 1, deep - 1)))
    assert len(events[-1].stack) == deep and events[-1].stack[0] == f"f{(deep - 1) % 7}"
    assert sum(row.count for row in events.key_averages(group_by_stack_n=5)) == deep + 1
    assert events[0].self_cpu_time_total == 0.002


def long_profile(n: int) -> EventList:
    """A root with many children, and two changes of memory in each."""
    made = [("root", 0, 100 * n, -1), *(("op", 10 * i + 1, 10 * i + 9, 0) for i in range(n))]
    memory = [(10 * i + 5 + k, 64 * i + 64, 8 - 16 * k, i + 1) for i in range(n) for k in range(2)]
    return events_of(calls(*made), memory)


def test_averages_over_many_blocks():
    n = 3 * BLOCK + 5
    root, op = long_profile(n).key_averages()
    assert (op.count, op.cpu_time_total, op.self_cpu_memory_usage) == (n, n * 8 / 1000, 0)
    assert root.self_cpu_time_total == pytest.approx((100 * n - 8 * n) / 1000)


def test_averages_need_hardly_any_memory_beside_the_rows():
    """A row has 40 bytes; with what is needed on the way to the averages it may have 64."""
    n = 8 * BLOCK
    events = long_profile(n)
    tracemalloc.start()
    events.key_averages(True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (64 - 40) * n


def test_a_column_is_the_same_whole_in_blocks_and_by_cells():
    table = long_profile(2 * BLOCK)._source.visible.source
    for name in table.events:
        whole = np.concatenate([cells for _, (cells,) in table.blocks(0, len(table), name)])
        rows = np.array([0, 1, BLOCK, len(table) - 1])
        assert (table.events.at(name, rows) == whole[rows]).all() and (table[name] == whole).all()


def test_a_trace_reads_the_same_compiled_and_in_plain_python():
    """Where nothing is compiled the two are one, and this test says nothing."""
    from mindtorch_v2.profiler.export import trace_text
    plain = runpy.run_path(str(Path(trace_text.__file__).parent / "trace_text.py"))
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 500) for name in trace_text.CALLS}
    columns |= {"start_ns": rng.integers(-10**6, 10**18, 500), "state": rng.integers(0, 8, 500),
                "sequence": rng.integers(-1, 3, 500)}
    columns["end_ns"] = columns["start_ns"] + rng.integers(0, 10**7, 500)
    words = ([b'"a"', b'"' + b"n" * 5000 + b'"', b'"\\u1234"'], [b"", b', "x": 1', b', "y": []'],
             [b"", b', "s": "f;"', b', "t": ""'], (b"fwdbwd", b"forward_backward"))
    cells = tuple(memoryview(column.astype(np.int64)) for column in columns.values())
    for base_ns in (0, 10**17):
        text = trace_text.calls(77, base_ns, *words, cells)
        assert text == plain["calls"](77, base_ns, *words, cells)
        assert len(json.loads(b"[" + text[:-2] + b"]")) >= 500
    changes = tuple(memoryview(rng.integers(-10**15, 10**15, 50)) for _ in trace_text.CHANGES)
    assert trace_text.changes(77, 5, changes) == plain["changes"](77, 5, changes)
