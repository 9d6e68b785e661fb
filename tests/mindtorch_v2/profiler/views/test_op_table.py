"""Sums and spreads by name; and who only waits."""

from __future__ import annotations

import numpy as np

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.views.digest import Digest
from mindtorch_v2.profiler.views.distribution import Spread
from mindtorch_v2.profiler.views.waiting import waits

from .tables import PYTHON, RANGE, Row, digest, tensor, training_step


def test_calls_are_spread_by_their_time_and_steps_by_own_time():
    rows = [Row("ProfilerStep#0", 0, 100, RANGE), Row("aten::mm", 0, 10), Row("aten::mm", 20, 50),
            Row("aten::copy_", 30, 40), Row("ProfilerStep#1", 100, 200, RANGE), Row("aten::mm", 110, 120)]
    row = next(row for row in digest(rows).ops() if row.name == "aten::mm")
    assert (row.count, row.self_ns, row.total_ns) == (3, 40, 50)
    assert row.calls == Spread(3, 50, 10, 10, 30, 30)
    assert row.steps == Spread(2, 40, 10, 10, 30, 30)


def test_shapes_tell_rows_apart_where_they_are_asked_for():
    rows = [Row("aten::mm", 0, 10, inputs=(tensor(2, 3), tensor(3, 4))),
            Row("aten::mm", 20, 25, inputs=(tensor(9, 9), tensor(9, 9)))]
    assert [(row.name, row.shapes, row.self_ns) for row in digest(rows).ops(by_shapes=True)] == [
        ("aten::mm", "[[2, 3], [3, 4]]", 10), ("aten::mm", "[[9, 9], [9, 9]]", 5)]
    assert [row.count for row in digest(rows).ops()] == [2]


def test_sums_are_those_of_key_averages():
    with profile(record_shapes=True, profile_memory=True, with_flops=True, with_stack=True) as prof:
        model = torch.nn.Linear(3, 4)
        model(torch.ones(2, 3)).sum().backward()
    rows = Digest(prof.profiler._recordings.table()).ops()
    shown = {(row.name, row.count, row.self_ns / 1000, row.total_ns / 1000, row.self_bytes, row.total_bytes, row.flops)
             for row in rows}
    assert shown == {(row.key, row.count, row.self_cpu_time_total, row.cpu_time_total, row.self_cpu_memory_usage,
                      row.cpu_memory_usage, row.flops) for row in prof.key_averages()}


def test_what_only_waits_does_not_lead():
    rows = [Row("aten::mm", 0, 10), Row("selectors.py(452): select", 0, 900, PYTHON, thread=2),
            Row("<built-in method poll of select.epoll object>", 0, 890, PYTHON, thread=2)]
    table = digest(rows, threads={1: "MainThread", 2: "IOPub"})
    assert [row.name for row in table.ops()] == [
        "aten::mm", "<built-in method poll of select.epoll object>", "selectors.py(452): select"]
    assert [(row.name, row.only_waits, row.busy_ns, row.waiting_ns) for row in table.threads] == [
        ("MainThread", False, 10, 0), ("IOPub", True, 900, 900)]


def test_calls_that_wait_are_known_by_name():
    for name in ("<built-in method acquire of _thread.lock object>", "<built-in function sleep>",
                 "queue.py(154): get", "threading.py(295): wait", "<built-in method poll of select.epoll object>",
                 "multiprocessing/connection.py(934): wait", "threading.py(1125): _wait_for_tstate_lock"):
        assert waits(name), name
    for name in ("<built-in method join of str object>", "<built-in method get of dict object>", "aten::mm",
                 "train.py(3): get", "<built-in method append of list object>"):
        assert not waits(name), name


def test_an_empty_profile_has_no_rows():
    empty = digest([])
    assert empty.ops() == [] and empty.threads == [] and empty.peak is None and len(empty.top_down) == 0


def test_own_times_of_steps_add_up_to_the_steps():
    rows = digest(training_step()).ops()
    assert sum(row.self_ns for row in rows) == 1000
    assert np.sum([row.steps.total for row in rows]) == 1000
