"""Switches of ``_ExperimentalConfig`` that change little or nothing here: exactly what."""

from __future__ import annotations

import io
import json
import threading
from decimal import Decimal

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ProfilerActivity, _ExperimentalConfig, profile, record_function

from .programs import Actor
from .reading import cycle, some_ops

# What is another in every profile: times, addresses, numbers that go on.
OF_THE_RUN = {"ts", "dur", "External id", "Ev Idx", "Python id", "Python parent id", "Sequence number", "Addr",
              "Total Allocated", "trace_id", "baseTimeNanoseconds"}


def trace_of(prof) -> dict:
    text = io.StringIO()
    prof.export_chrome_trace(text)
    return json.loads(text.getvalue(), object_hook=lambda read: {k: v for k, v in read.items() if k not in OF_THE_RUN})


def calls_of(prof) -> list[dict]:
    """What this thread has in the trace; Python's calls are traced on all."""
    return [e for e in trace_of(prof)["traceEvents"] if e["tid"] == threading.get_native_id() and e["ph"] == "X"]


def shown(prof) -> list[tuple]:
    events = prof.events()
    own = next(e.thread for e in events if e.name.startswith("aten::"))
    return [(e.name, e.cpu_parent and e.cpu_parent.name, e.input_shapes, e.stack) for e in events if e.thread == own]


def with_and_without(switches: dict, run=some_ops, **options) -> list:
    """The same program under the defaults and under the switches."""
    run()  # imports and first uses
    found = []
    for config in (_ExperimentalConfig(), _ExperimentalConfig(**switches)):
        with profile(experimental_config=config, **options) as prof:
            run()
        found.append(prof)
    return found


@pytest.mark.parametrize("switches", [
    {"profiler_metrics": ["m"]}, {"profiler_measure_per_kernel": True}, {"enable_cuda_sync_events": True},
    {"disable_external_correlation": True}, {"adjust_timestamps": True}], ids=lambda given: next(iter(given)))
def test_switches_of_other_devices_change_nothing(switches):
    without, switched = with_and_without(switches, record_shapes=True, profile_memory=True)
    assert shown(switched) == shown(without)
    assert trace_of(switched) == trace_of(without)


def test_metrics_of_devices_do_not_cost_the_trace_its_name():
    """As they do in torch."""
    _, switched = with_and_without({"profiler_metrics": ["m"]})
    text = io.StringIO()
    switched.export_chrome_trace(text)
    assert json.loads(text.getvalue())["trace_id"] == switched.get_trace_id() != ""


def test_verbose_adds_the_thread_to_python_s_calls_in_the_trace_and_nothing_else():
    """Stacks are shown without it."""
    model = torch.nn.Linear(3, 2)
    without, switched = with_and_without({"verbose": True}, lambda: model(torch.ones(1, 3)), with_stack=True)
    assert shown(switched) == shown(without) and any(stack for *_, stack in shown(without))
    plain, verbose = calls_of(without), calls_of(switched)
    told = {(e["cat"], "Python thread" in e["args"]) for e in verbose}
    assert told == {("python_function", True), ("cpu_op", False)}
    assert len({e["args"].pop("Python thread") for e in verbose if e["cat"] == "python_function"}) == 1
    assert verbose == plain and any("Call stack" in e["args"] for e in plain)


def test_verbose_tells_threads_apart():
    with profile(with_stack=True, experimental_config=_ExperimentalConfig(verbose=True)) as prof:
        other = Actor()
        other.do(lambda: sorted([1]))
        sorted([2])
        other.end()
    calls = [e for e in trace_of(prof)["traceEvents"] if e["name"] == "<built-in function sorted>"]
    assert len({e["args"]["Python thread"] for e in calls}) == len({e["tid"] for e in calls}) == 2


def test_without_stacks_verbose_changes_nothing():
    without, switched = with_and_without({"verbose": True}, record_shapes=True)
    assert shown(switched) == shown(without) and trace_of(switched) == trace_of(without)


@pytest.mark.parametrize("with_stack", [False, True])
def test_a_step_holds_its_ops_whether_or_not_it_is_to_be_adjusted(with_stack):
    """torch cuts a step down to the end of the ``step()`` that ends it, so that it holds none of its ops. Here a call
    of ``step()`` is not shown: in a plain loop no step reaches out of one, and there is nothing to adjust."""
    found = []
    for adjusted in (False, True):
        with profile(with_stack=with_stack, schedule=cycle(wait=0, warmup=1, active=2, repeat=1),
                     experimental_config=_ExperimentalConfig(adjust_profiler_step=adjusted)) as prof:
            for _ in range(3):
                torch.ones(1)
                prof.step()
        found.append(prof)
    assert shown(found[0]) == shown(found[1]) and calls_of(found[0]) == calls_of(found[1])
    steps = [e for e in found[1].events() if e.name == "ProfilerStep*"]
    assert [[child.name for child in step.cpu_children] for step in steps] == [["aten::ones"]] * 2


def step_in_a_function(prof) -> None:
    with record_function("work"):
        torch.ones(1)
    prof.step()
    torch.zeros(1)


def test_an_adjusted_step_ends_with_the_function_that_ended_it():
    with profile(with_stack=True, schedule=cycle(wait=0, warmup=1, active=4, repeat=1),
                 experimental_config=_ExperimentalConfig(adjust_profiler_step=True)) as prof:
        for _ in range(5):
            step_in_a_function(prof)
    text = io.StringIO()
    prof.export_chrome_trace(text)
    slices = [e for e in json.loads(text.getvalue(), parse_float=Decimal)["traceEvents"] if e["ph"] == "X"]
    steps = [e for e in slices if e["name"].startswith("ProfilerStep#")]
    work = [e for e in slices if e["name"] in ("work", "aten::ones", "aten::zeros")]
    assert [[e["name"] for e in work if lies_in(e, step)] for step in steps[1:-1]] == [[
        "work", "aten::ones", "aten::zeros"]] * 2
    assert len(steps) == 4 and not any(overlap(step, e) for step in steps for e in slices)
    functions = [e for e in slices if e["name"].endswith(": step_in_a_function")]
    ends = {e["ts"] + e["dur"] for e in functions}
    assert len(functions) >= 4 and not [step for step in steps if step["ts"] + step["dur"] in ends]


def test_an_adjusted_step_overlaps_with_no_function_in_which_the_profile_ended():
    prof = profile(with_stack=True, schedule=cycle(wait=0, warmup=0, active=5, repeat=1),
                   experimental_config=_ExperimentalConfig(adjust_profiler_step=True))

    def last_step():
        torch.ones(1)
        prof.stop()

    prof.start()
    last_step()
    text = io.StringIO()
    prof.export_chrome_trace(text)
    slices = [e for e in json.loads(text.getvalue(), parse_float=Decimal)["traceEvents"] if e["ph"] == "X"]
    step, = (e for e in slices if e["name"].startswith("ProfilerStep#"))
    function, = (e for e in slices if e["name"].endswith(": last_step"))
    assert step["ts"] < function["ts"] and function["ts"] + function["dur"] < step["ts"] + step["dur"]
    assert not any(overlap(step, e) for e in slices)


def lies_in(event: dict, other: dict) -> bool:
    return other["ts"] <= event["ts"] and event["ts"] + event["dur"] <= other["ts"] + other["dur"]


def overlap(one: dict, other: dict) -> bool:
    """Whether two slices share a time, but neither lies in the other."""
    apart = one["ts"] + one["dur"] <= other["ts"] or other["ts"] + other["dur"] <= one["ts"]
    return not (apart or lies_in(one, other) or lies_in(other, one))


def test_raw_events_tell_their_place_in_the_trace_when_asked_to():
    with profile(with_stack=True, experimental_config=_ExperimentalConfig(expose_kineto_event_metadata=True)) as prof:
        torch.ones(2).sum()
    told = [(e.name(), e.metadata_json()) for e in prof.profiler.kineto_results.events()]
    assert {(e.name, e._metadata_json) for e in prof.events()} < set(told)  # less a sum that only runs a sum
    assert [name for name, said in told if said.startswith('"Ev Idx": ')] == \
        [name for name, _ in told if name.startswith("aten::")]  # torch says nothing of Python's calls


@pytest.mark.parametrize(("enable", "activities"), [("a", [ProfilerActivity.CPU]), (False, ["CPU"]), (False, [1])])
def test_collection_is_switched_by_a_bool_and_activities(enable, activities):
    with profile() as prof, pytest.raises(TypeError, match=r"_toggle_collection_dynamic\(\): incompatible function"):
        prof.toggle_collection_dynamic(enable, activities)
