"""Long runs: how much is kept, what is dropped and where that is said, and that nothing is lost on disk."""

from __future__ import annotations

import io
import json
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.profiler.kineto.traversal import traverse_dfs
from mindtorch_v2.profiler.memory.op_tree import flat_tensors
from mindtorch_v2.record import clock, logs, rows, watch
from mindtorch_v2.record.journal_reading import StoredRows
from mindtorch_v2.record.layout import INPUTS, TENSORS
from mindtorch_v2.record.overflow import Limit
from mindtorch_v2.record.ranges import record_range
from mindtorch_v2.record.recorder import Window

from .reading import names


def steps(first: int, last: int) -> None:
    for i in range(first, last):
        with record_range(f"step {i}"):
            pass


def trace_of(prof) -> dict:
    written = io.BytesIO()
    prof.export_chrome_trace(written)
    return json.loads(written.getvalue())


@pytest.mark.parametrize(("overflow", "kept"), [("newest", range(990, 1000)), ("first", range(10))])
def test_of_too_many_events_those_are_kept_that_were_asked_for(overflow, kept):
    with profile(max_events=10, overflow=overflow) as prof:
        steps(0, 1000)
    assert names(prof) == [f"step {i}" for i in kept] and prof.dropped_events == 990


def test_the_newest_events_lose_parents_that_were_dropped():
    with profile(max_events=4) as prof:
        with record_range("outer"):
            steps(0, 50)
            with record_range("inner"):
                steps(50, 51)
    assert [(e.name, e.cpu_parent and e.cpu_parent.name) for e in prof.events()] == [
        ("step 48", None), ("step 49", None), ("inner", None), ("step 50", "inner")]


@pytest.mark.parametrize("overflow", ["newest", "first"])
def test_tensors_are_forgotten_with_the_ops_they_were_given_to(overflow):
    x = torch.ones(2)
    window = Window(INPUTS | TENSORS, Limit(10, overflow)).open()
    for _ in range(1000):
        x + x
    thread, = window.close().threads
    given = thread.places(thread.tensors["row"])
    assert len(given) <= 2 * 40 and given.max() == len(thread.rows) - 1


def test_what_was_dropped_is_said_in_the_table_and_in_the_trace():
    with profile(max_events=3) as prof:
        steps(0, 10)
    assert prof.key_averages().table().endswith("s\nEvents dropped: 7 (overflow='newest' keeps the newest)\n")
    trace = trace_of(prof)
    assert (trace["dropped_events"], trace["overflow"]) == (7, "newest")


def test_nothing_is_said_where_nothing_was_dropped():
    with profile(max_events=10) as prof:
        steps(0, 10)
    assert prof.dropped_events == 0 and "dropped" not in prof.key_averages().table()
    assert "dropped_events" not in trace_of(prof) and len(prof.events()) == 10


def test_a_limit_is_over_all_threads():
    with profile(max_events=8) as prof:
        for part in range(3):
            worker = threading.Thread(target=steps, args=(10 * part, 10 * part + 10))
            worker.start()
            worker.join()
    assert names(prof) == [f"step {i}" for i in range(22, 30)] and prof.dropped_events == 22


def test_a_limit_in_bytes_counts_rows_and_the_memory_beside_them():
    for wishes, bytes_per_event in (({}, 40), ({"profile_memory": True}, 96)):
        with profile(max_bytes=10 * bytes_per_event, **wishes) as prof:
            steps(0, 50)
        assert len(prof.events()) == 10


def test_memory_of_dropped_events_is_dropped_with_them():
    with profile(max_events=6, profile_memory=True) as prof:
        for _ in range(100):
            torch.ones(10)
    assert sum(e.cpu_memory_usage for e in prof.events() if e.name == "aten::empty") == 80
    assert len(prof.profiler._recordings.table().memory["change"]) <= 12


def test_another_profile_that_listens_loses_nothing():
    with profile() as outer:
        with profile(max_events=5) as inner:
            steps(0, 100)
    assert len(outer.events()) == 100 and names(inner) == [f"step {i}" for i in range(95, 100)]
    assert inner.dropped_events == 95


def program() -> None:
    with record_function("outer"):
        for i in range(40):
            with record_function(f"step {i}"):
                torch.ones(3, 2).sum()
    never_closed = record_function("never closed")
    never_closed.__enter__()
    torch.ones(4)


def told(events) -> list[tuple]:
    return [(e.name, e.time_range.start, e.time_range.end, e.cpu_parent and e.cpu_parent.name, e.input_shapes,
             e.cpu_memory_usage) for e in events]


def test_events_on_disk_are_the_same_as_those_in_memory():
    found = []
    for limits in ({}, {"max_events": 7, "overflow": "spill"}):
        ticks = iter(range(10**6))
        with clock.fake(lambda ticks=ticks: 1000 * next(ticks)):
            with profile(record_shapes=True, profile_memory=True, **limits) as prof:
                program()
        averages = [(row.key, row.count, row.cpu_time_total, row.self_cpu_time_total, row.cpu_memory_usage)
                    for row in prof.key_averages()]
        found.append((told(prof.events()), averages, prof.dropped_events))
        unfinished = [e["name"] for e in trace_of(prof)["traceEvents"] if e.get("args", {}).get("finished") is False]
        assert unfinished == ["never closed"]
    assert found[0] == found[1] and len(found[0][0]) > 200


def test_a_spilling_profile_holds_no_more_than_its_limit_in_memory():
    with profile(max_events=20, overflow="spill") as prof:
        for _ in range(10):
            steps(0, 50)
            thread = rows.current_thread()
            assert logs.marks()[thread][0] - logs.held(thread)[0] <= 20
        assert len(prof.events()) == 500  # a snapshot sees what lies on disk too
        steps(0, 1)
    assert len(prof.events()) == 501


@pytest.mark.parametrize(("wrong", "text"), [
    ({"overflow": "oldest"}, "overflow should be one of"), ({"max_events": 0}, "max_events should be positive"),
    ({"max_bytes": -1}, "max_bytes should be positive")])
def test_limits_that_make_no_sense_are_refused_at_once(wrong, text):
    with pytest.raises(ValueError, match=text):
        profile(**wrong)


def test_a_profile_knows_what_it_costs():
    with profile() as prof:
        steps(0, 100)
    found = prof.overhead()
    assert found.events == 100 and found.ns_per_event > 0
    assert found.total_ns == pytest.approx(100 * found.ns_per_event) and 0 < found.share < 1


def test_a_profile_is_not_heard_measuring_its_cost_by_others():
    window = Window().open()
    with profile(record_shapes=True):
        pass
    assert not any(len(thread.rows) for thread in window.close().threads)


def train(n_steps: int) -> None:
    weight = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    for _ in range(n_steps):
        (weight * 2).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def test_of_optimizers_no_more_is_kept_than_of_the_steps_they_made():
    with profile(with_stack=True, max_events=200) as prof:
        train(100)
        assert 0 < len(watch.state.objects.optimizers) < 10
    tree = prof.profiler.kineto_results.experimental_event_tree()
    assert any(e.extra_fields.optimizer for e in traverse_dfs(tree) if e.tag.name == "PyCall")


def test_an_optimizer_is_the_same_for_steps_on_disk_and_in_memory():
    with profile(with_stack=True, max_events=50, overflow="spill") as prof:
        train(20)
    steps = prof.profiler._recordings._parts[-1].recording.objects.known_optimizers()
    assert len(steps) == 20
    assert len({id(facts) for facts in steps.values()}) == 1


def test_tensors_given_go_to_disk_with_their_rows():
    found = []
    for limits in ({}, {"max_events": 50, "overflow": "spill"}):
        with profile(record_shapes=True, profile_memory=True, with_stack=True, **limits) as prof:
            train(20)
        tree = prof.profiler.kineto_results.experimental_event_tree()
        found.append([(e.name, [t.id for t in flat_tensors(e.extra_fields)])
                      for e in traverse_dfs(tree) if e.tag.name == "TorchOp"])
    assert found[0] == found[1]
    threads = prof.profiler._recordings._parts[-1].recording.threads
    assert all(isinstance(thread.tensors, StoredRows) for thread in threads if len(thread.tensors))
    assert any(len(thread.tensors) for thread in threads)
