"""Every thread is seen: its ops, its name, its memory; and none leaves anything behind."""

from __future__ import annotations

import io
import json
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _ExperimentalConfig, profile, record_function
from mindtorch_v2.record import logs

from .programs import Actor
from .reading import count


def in_thread(work, name: str | None = None) -> threading.Thread:
    """Do something on a thread of its own, and wait for its end."""
    thread = threading.Thread(target=work, name=name)
    thread.start()
    thread.join()
    return thread


def trace_of(prof) -> list[dict]:
    text = io.StringIO()
    prof.export_chrome_trace(text)
    return json.loads(text.getvalue())["traceEvents"]


def test_threads_started_before_inside_and_after_the_start_are_seen_under_their_names():
    before = Actor("before")
    before.do(lambda: torch.ones(1))
    unheard = Actor("unheard")
    prof = profile()
    prof.start()
    inside = Actor("inside")
    for actor, op in ((before, torch.zeros), (inside, torch.ones), (unheard, torch.eye)):
        actor.do(lambda op=op: op(2))
    prof.stop()
    for actor in (before, inside, unheard):
        actor.do(lambda: torch.full((1,), 2.0))
        actor.end()
    in_thread(lambda: torch.full((1,), 2.0), "after")
    trace = trace_of(prof)
    names = {e["tid"]: e["args"]["name"].split("(")[-1][:-1] for e in trace if e["name"] == "thread_name"}
    found = {names[e["tid"]]: e["name"] for e in trace if e["ph"] == "X" and e["name"] in
             ("aten::zeros", "aten::ones", "aten::eye", "aten::full")}
    assert found == {"before": "aten::zeros", "inside": "aten::ones", "unheard": "aten::eye"}


def test_a_thread_s_memory_is_charged_to_its_own_ops():
    kept = []
    with profile(profile_memory=True) as prof:
        with record_function("here"):
            in_thread(lambda: kept.append(torch.zeros(1000)))
        in_thread(kept.clear)
    rows = {row.key: row.self_cpu_memory_usage for row in prof.key_averages()}
    assert rows["aten::empty"] == 4000 and rows["[memory]"] == -4000 and rows["here"] == 0
    threads = {e.name: e.thread for e in prof.events()}
    assert len({threads["here"], threads["aten::empty"], threads["[memory]"]}) == 3


def test_a_range_closed_on_another_thread_ends_there_and_then():
    actor = Actor("closer")
    prof = profile()
    prof.start()
    left = record_function("left")
    left.__enter__()
    torch.ones(1)
    actor.do(lambda: left.__exit__(None, None, None))
    torch.zeros(1)
    prof.stop()
    actor.end()
    events = {e.name: e for e in prof.events()}
    assert events["aten::ones"].cpu_parent is events["left"] and events["aten::zeros"].cpu_parent is None
    left_end = events["left"].time_range.end
    assert events["aten::ones"].time_range.end <= left_end <= events["aten::zeros"].time_range.start
    assert not any(e.get("args", {}).get("finished") is False for e in trace_of(prof))


def test_a_range_that_its_thread_left_open_lasts_to_the_end_of_the_profile():
    with profile() as prof:
        in_thread(lambda: (record_function("open").__enter__(), torch.ones(1)))
        torch.zeros(1)
    events = {e.name: e for e in prof.events()}
    assert events["aten::ones"].cpu_parent is events["open"] and events["aten::zeros"].cpu_parent is None
    assert events["open"].time_range.end >= events["aten::zeros"].time_range.end


def test_a_range_left_open_by_an_earlier_profile_closes_nothing_in_a_later_one():
    with profile():
        left = record_function("left")
        left.__enter__()
    with profile() as prof:
        mine = record_function("mine")
        mine.__enter__()
        left.__exit__(None, None, None)
        torch.ones(1)
        mine.__exit__(None, None, None)
    assert [e.cpu_parent and e.cpu_parent.name for e in prof.events() if e.name == "aten::ones"] == ["mine"]


def test_every_op_of_many_threads_at_once_is_counted():
    gate = threading.Barrier(8)

    def work():
        gate.wait()
        for _ in range(200):
            x + x

    x = torch.ones(1)
    threads = [threading.Thread(target=work) for _ in range(8)]
    with profile() as prof:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert count(prof, "aten::add") == 1600 and len({e.thread for e in prof.events()}) == 8


def test_logs_of_threads_that_ended_are_used_again():
    def rounds(n):
        with profile(profile_memory=True) as prof:
            for _ in range(n):
                in_thread(lambda: x + x)
        assert count(prof, "aten::add") == n and len({e.thread for e in prof.events()}) == n
        return len(logs.marks())

    x = torch.ones(1)
    rounds(300)
    before = rounds(1000)
    assert rounds(1000) == rounds(300) == before


@pytest.mark.parametrize(("said", "seen"), [({}, 2), ({"profile_all_threads": True}, 2),
                                            ({"profile_all_threads": False}, 1)])
def test_all_threads_are_seen_unless_torch_s_switch_is_said_to_be_off(said, seen):
    with profile(experimental_config=_ExperimentalConfig(**said), profile_memory=True, with_stack=True) as prof:
        torch.ones(2)
        in_thread(lambda: torch.ones(2))
    assert count(prof, "aten::ones") == seen  # others may be traced too: those that the tests are run by
    assert len({event.thread for event in prof.events() if event.name == "aten::ones"}) == seen
    assert len({event["tid"] for event in trace_of(prof) if event["name"] == "aten::ones"}) == seen


def test_a_range_left_open_by_a_thread_whose_log_another_one_has_lasts_to_the_end_also_on_disk():
    def leave_open() -> None:
        record_function("left open").__enter__()

    with profile(overflow="spill", max_events=200) as prof:
        for _ in range(3):
            in_thread(leave_open)
            for _ in range(500):
                torch.ones(2)
            in_thread(lambda: torch.ones(2))
    left = [e for e in prof.events() if e.name == "left open"]
    assert len(left) == 3 and all(e.time_range.elapsed_us() > 0 for e in left)
    assert all(average.self_cpu_time_total >= 0 for average in prof.key_averages())


def test_rows_that_others_open_while_a_profile_is_read_are_not_in_it(monkeypatch):
    """Where threads stand is noted before what they have open."""
    marks, opened = logs.marks, []

    def then_go_on():
        ends = marks()
        opened.append(record_function("later").__enter__())
        return ends

    with profile() as prof:
        torch.ones(2)
        monkeypatch.setattr(logs, "marks", then_go_on)
        seen = {e.name for e in prof.events()}
        monkeypatch.undo()
        for later in reversed(opened):
            later.__exit__(None, None, None)
    assert "aten::ones" in seen and count(prof, "later") == len(opened) > 0


def test_threads_that_had_one_log_after_the_other_have_small_numbers_also_on_disk():
    with profile(overflow="spill", max_events=1, with_stack=True) as prof:
        for i in range(30):
            in_thread(lambda: [torch.ones(2) for _ in range(3)], name=f"thread {i}")
    assert {e.thread_name for e in prof.events() if e.name == "aten::ones"} == {f"thread {i}" for i in range(30)}
    assert max(e.thread for e in prof.events()) < 1 << 17
    assert sum(row["name"] == "thread_name" and "(thread 2" in row["args"]["name"] for row in trace_of(prof)) == 11
