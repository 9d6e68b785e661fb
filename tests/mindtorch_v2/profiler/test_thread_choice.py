"""profile(threads=...): a profile of some threads; events carry the name of theirs."""

from __future__ import annotations

import json
import pickle
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, schedule


def work(op: str) -> None:
    getattr(torch.ones(3), op)()


def run(op: str, name: str) -> threading.Thread:
    """A thread that calls an op and has ended."""
    thread = threading.Thread(target=work, args=(op,), name=name)
    thread.start()
    thread.join()
    return thread


def names(prof) -> set[str]:
    return {event.name for event in prof.events()} & {"aten::sin", "aten::cos", "aten::exp"}


def test_two_threads_with_a_profile_each_get_their_own_ops():
    found, both_run = {}, threading.Barrier(2)

    def profiled(op: str) -> None:
        with profile(threads="current") as prof:
            both_run.wait()
            work(op)
            both_run.wait()
        found[op] = names(prof)

    threads = [threading.Thread(target=profiled, args=(op,)) for op in ("sin", "cos")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"sin": {"aten::sin"}, "cos": {"aten::cos"}}


@pytest.mark.parametrize("said", [{}, {"threads": None}, {"threads": "all"}, {"threads": ["current", "all"]}])
def test_all_threads_are_shown_unless_some_are_named(said):
    with profile(**said) as prof:
        work("exp")
        run("sin", "helper")
    assert names(prof) == {"aten::exp", "aten::sin"}


@pytest.mark.parametrize("chosen", ["helper", ["helper"], ("nobody", "helper")])
def test_threads_are_chosen_by_name(chosen):
    with profile(threads=chosen) as prof:
        work("exp")
        run("sin", "helper")
        run("cos", "other")
    assert names(prof) == {"aten::sin"}


@pytest.mark.parametrize("of", [lambda thread: thread, lambda thread: thread.ident, lambda thread: thread.native_id])
def test_threads_are_chosen_by_object_and_by_number(of):
    go = threading.Event()
    thread = threading.Thread(target=lambda: (go.wait(), work("sin")))
    thread.start()
    with profile(threads=[of(thread)]) as prof:
        work("exp")
        go.set()
        thread.join()
    assert names(prof) == {"aten::sin"}


def test_a_thread_may_be_chosen_before_it_starts():
    thread = threading.Thread(target=work, args=("sin",))
    with profile(threads=["current", thread]) as prof:
        work("exp")
        thread.start()
        thread.join()
        run("cos", "other")
    assert names(prof) == {"aten::exp", "aten::sin"}


def test_memory_shape_and_trace_are_those_of_the_chosen_thread(tmp_path):
    with profile(threads="current", profile_memory=True, record_shapes=True, with_stack=True) as prof:
        kept = torch.ones(5)
        run("sin", "other")
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    trace = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert "aten::sin" not in {event["name"] for event in trace}
    assert {event["tid"] for event in trace if event["ph"] == "X" and event["cat"] == "cpu_op"} \
        == {threading.get_native_id()}
    assert sum(event.self_cpu_memory_usage for event in prof.events()) == kept.nbytes
    tree = prof.profiler.kineto_results.experimental_event_tree()
    assert {event.start_tid for event in tree} == {prof.events()[0].thread}


def test_every_cycle_of_a_schedule_shows_the_chosen_thread():
    seen = []
    with profile(threads="current", schedule=schedule(wait=0, warmup=0, active=1, repeat=2),
                 on_trace_ready=lambda prof: seen.append(names(prof))) as prof:
        for _ in range(2):
            work("exp")
            run("sin", "other")
            prof.step()
    assert seen == [{"aten::exp"}, {"aten::exp"}]


def test_events_carry_the_name_of_their_thread(tmp_path):
    with profile() as prof:
        work("exp")
        run("sin", "helper")
    of = {event.name: event.thread_name for event in prof.events()}
    assert (of["aten::exp"], of["aten::sin"]) == (threading.current_thread().name, "helper")
    assert pickle.loads(pickle.dumps(prof.events()[0])).thread_name == threading.current_thread().name
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    told = [event["args"]["name"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
            if event["name"] == "thread_name"]
    assert any(name.endswith("(helper)") for name in told)


@pytest.mark.parametrize("wrong", [3.5, [None], [True], object()])
def test_what_is_no_thread_is_refused(wrong):
    with pytest.raises(TypeError, match="threads should"):
        profile(threads=wrong)
