"""Profiles, their results and schedules go through pickle, copy and deepcopy; one that records says what to do."""

from __future__ import annotations

import copy
import json
import pickle
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ExecutionTraceObserver, profile, record_function, schedule

WAYS = {"pickle": lambda given: pickle.loads(pickle.dumps(given)), "copy": copy.copy, "deepcopy": copy.deepcopy}
EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": True}
STEPS = 4


def said(prof) -> None:
    """A handler that pickle knows by its name."""


OPTIONS = {
    "nothing else": lambda folder: {},
    "a handler that is a lambda": lambda folder: {"on_trace_ready": lambda prof: None},
    "a handler that can be pickled": lambda folder: {"on_trace_ready": said},
    "a schedule": lambda folder: {"schedule": schedule(wait=1, warmup=1, active=2), "on_trace_ready": said},
    "cycles together": lambda folder: {"acc_events": True},
    "a thread": lambda folder: {"threads": threading.current_thread()},
    "rows on disk": lambda folder: {"max_events": 50, "overflow": "spill"},
    "a name for traces": lambda folder: {"custom_trace_id_callback": lambda: "mine"},
    "an observer": lambda folder: {"execution_trace_observer":
                                   ExecutionTraceObserver().register_callback(str(folder / "execution.json"))},
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def again(request):
    return request.param


def trained(**options) -> profile:
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(**EVERYTHING, **options) as prof:
        for _ in range(STEPS):
            with record_function("step"):
                model(torch.ones(2, 4)).sum().backward()
                optimizer.step()
                optimizer.zero_grad()
            if "schedule" in options:
                prof.step()
    return prof


def trace(prof, folder) -> list[dict]:
    prof.export_chrome_trace(str(folder / "trace.json"))
    return json.loads((folder / "trace.json").read_text())["traceEvents"]


def averages(prof) -> list[tuple]:
    return [(row.key, row.count, row.cpu_time_total, row.self_cpu_memory_usage, row.flops, row.input_shapes, row.stack)
            for row in prof.key_averages(group_by_input_shape=True, group_by_stack_n=3)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_profile_that_has_ended_goes_with_all_its_results(options, again, tmp_path):
    prof = trained(**options(tmp_path))
    same = again(prof)
    assert same is not prof and averages(same) == averages(prof)
    assert trace(same, tmp_path) == trace(prof, tmp_path)
    assert (same.overhead(), same.dropped_events) == (prof.overhead(), prof.dropped_events)
    nodes = [one.profiler.kineto_results.experimental_event_tree() for one in (same, prof)]
    assert [repr(node.children) for node in nodes[0]] == [repr(node.children) for node in nodes[1]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_copy_can_be_started_and_leaves_the_original_as_it_is(options, again, tmp_path):
    prof = trained(**options(tmp_path))
    before = averages(prof)
    same = again(prof)
    same.on_trace_ready = None
    same.start()
    torch.ones(3)
    if "schedule" in options(tmp_path):
        same.step()
    same.stop()
    assert "aten::ones" in [event.name for event in same.events()] and averages(prof) == before
    assert len(same.profiler.kineto_results.events()) >= 3


def test_accumulated_events_go_on_after_pickle_with_numbers_of_their_own():
    prof = pickle.loads(pickle.dumps(trained(acc_events=True)))
    before = len(prof.events())
    with prof:
        torch.ones(3)
    assert len(prof.events()) >= before + 3
    ids = [event.id for event in prof.events() if event.id]
    assert len(set(ids)) == len(ids)


def test_a_profile_that_never_started_can_be_copied(again):
    same = again(profile())
    with same:
        torch.ones(3)
    assert "aten::ones" in [event.name for event in same.events()]


@pytest.mark.parametrize("options", [{}, {"schedule": schedule(wait=3, warmup=1, active=1)}])
@pytest.mark.filterwarnings("ignore")
def test_a_profile_that_records_says_that_it_must_be_stopped(options, again):
    with profile(**options) as prof:
        torch.ones(3)
        with pytest.raises(TypeError, match=r"call stop\(\) first"):
            again(prof)
    torch.ones(3)


def test_what_there_is_so_far_can_be_pickled(again):
    with profile() as prof:
        torch.ones(3)
        assert [event.name for event in again(prof.events())][0] == "aten::ones"
        assert again(prof.key_averages())[0].key == "aten::ones"


@pytest.mark.filterwarnings("ignore")
def test_a_handler_may_keep_a_copy_of_each_cycle(again):
    kept = []
    trained(schedule=schedule(wait=0, warmup=1, active=1), on_trace_ready=lambda prof: kept.append(again(prof)))
    assert len(kept) == STEPS // 2
    assert [next(e.trace_name for e in prof.events() if e.name == "ProfilerStep*") for prof in kept] == [
        "ProfilerStep#1", "ProfilerStep#3"]


def test_a_function_that_pickle_cannot_take_is_left_behind():
    assert pickle.loads(pickle.dumps(trained(on_trace_ready=lambda prof: None))).on_trace_ready is None
    assert pickle.loads(pickle.dumps(trained(on_trace_ready=said))).on_trace_ready is said
    assert copy.copy(trained(on_trace_ready=said)).on_trace_ready is said


def test_changes_of_events_are_kept(again):
    events = trained().events()
    events[3].name, events[4].stack, events[5].note = "renamed", ["elsewhere"], "seen"
    events[6].cpu_children.append(events[7])
    events[8].time_range.end += 1
    same = again(events)
    assert (same[3].name, same[4].stack, same[5].note) == ("renamed", ["elsewhere"], "seen")
    assert same[6].cpu_children[-1] is same[7] and same[8].time_range.end == events[8].time_range.end


def test_a_copy_of_an_event_is_another_event():
    event = trained().events()[3]
    for other in (copy.copy(event), copy.deepcopy(event)):
        other.name = "changed"
        assert event.name != "changed"


def test_raw_results_go_with_everything_that_is_read_from_them(again, tmp_path):
    results = trained().profiler.kineto_results
    same = again(results)
    assert [event.name() for event in again(same.events())] == [event.name() for event in results.events()]
    assert [a.metadata_json() for a in again(same.trace_activities())] == [
        a.metadata_json() for a in results.trace_activities()]
    node = again(same.experimental_event_tree()[0])
    assert node.name == results.experimental_event_tree()[0].name
    same.save(str(tmp_path / "trace.json"))
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]


def test_the_profile_of_autograd_goes_with_its_events(again):
    with torch.autograd.profiler.profile(use_kineto=True) as prof:
        torch.ones(3)
    assert [event.name for event in again(prof).function_events] == [event.name for event in prof.function_events]


def test_a_schedule_can_be_pickled(again):
    steps = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    assert [again(steps)(step) for step in range(12)] == [steps(step) for step in range(12)]
