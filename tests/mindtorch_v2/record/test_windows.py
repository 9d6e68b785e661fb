"""Several listeners at once: each gets what happened while it listened, no more and no less."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.record.layout import CALLS, PYTHON_CALL, STACKS
from mindtorch_v2.record.ranges import record_range
from mindtorch_v2.record.recorder import Window


def names_of(recording):
    return [recording.names[n][0] for thread in recording.threads for n in thread.rows["name"]]


def mark(name):
    with record_range(name):
        pass


def test_an_inner_window_is_a_part_of_the_outer_one():
    outer = Window().open()
    mark("before")
    inner = Window().open()
    mark("within")
    found = inner.close()
    mark("after")
    assert names_of(found) == ["within"] and names_of(outer.close()) == ["before", "within", "after"]


def test_windows_may_overlap_without_nesting():
    first = Window().open()
    mark("a")
    second = Window().open()
    mark("b")
    found = first.close()
    mark("c")
    assert names_of(found) == ["a", "b"] and names_of(second.close()) == ["b", "c"]


def test_a_snapshot_leaves_the_recording_as_it_is():
    window = Window().open()
    mark("a")
    early = window.snapshot()
    mark("b")
    assert names_of(early) == ["a"] and names_of(window.close()) == ["a", "b"]


def test_closing_twice_hands_out_the_same():
    window = Window().open()
    mark("a")
    assert window.close() is window.close()


def test_a_window_inside_a_traced_one_knows_the_calls_around_it():
    outer = Window(CALLS | STACKS).open()
    inner = Window(CALLS | STACKS).open()
    torch.ones(1)
    window = inner.close()
    outer.close()
    thread = next(t for t in window.threads if t.index == inner.thread)  # others may be traced too
    op = [window.names[n][0] for n in thread.rows["name"]].index("aten::ones")
    above = [window.names[thread.rows["name"][p]][0] for p in chain(thread, op)]
    assert any(name.endswith("test_a_window_inside_a_traced_one_knows_the_calls_around_it") for name in above)
    assert (thread.rows["start_ns"] >= window.start_ns).all() and (thread.rows["end_ns"] <= window.end_ns).all()


def chain(thread, row):
    parents = thread.parents()
    found = []
    while parents[row] >= 0:
        row = parents[row]
        found.append(row)
        assert thread.rows["scope"][row] >= PYTHON_CALL
    return found
