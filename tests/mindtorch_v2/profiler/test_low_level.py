"""What torch._C._profiler and torch._C._autograd offer to programs that work without ``profile``."""

from __future__ import annotations

import inspect
import io
import json
import weakref

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._C import _profiler
from mindtorch_v2.profiler import _ExperimentalConfig, profile, record_function


def trained() -> profile:
    x = torch.ones(2, requires_grad=True)
    with profile(record_shapes=True, profile_memory=True) as prof:
        with record_function("mine"):
            x.add(x, alpha=2).sum().backward()
    return prof


def test_activities_are_the_events_of_the_trace():
    prof = trained()
    text = io.StringIO()
    prof.export_chrome_trace(text)
    shown = [e for e in json.loads(text.getvalue())["traceEvents"] if "Ev Idx" in e.get("args", ())]
    activities = prof.profiler.kineto_results.trace_activities()
    assert [(a.name(), a.type(), a.device_id(), a.resource_id()) for a in activities] == [
        (e["name"], e["cat"], e["pid"], e["tid"]) for e in shown]
    for activity, event in zip(activities, shown, strict=True):
        assert json.loads(f"{{{activity.metadata_json()}}}") == {
            key: value for key, value in event["args"].items() if key != "External id"}
        assert activity.correlation_id() == event["args"].get("External id", 0)
        assert activity.duration() == round(event.get("dur", 0) * 1000)


def test_activities_know_times_and_arrows():
    result = trained().profiler.kineto_results
    raw = {e.correlation_id(): e for e in result.events() if e.correlation_id()}
    for activity in result.trace_activities():
        if activity.correlation_id():
            event = raw[activity.correlation_id()]
            assert (activity.timestamp(), activity.duration()) == (event.start_ns(), event.duration_ns())
            assert (activity.flow_id(), activity.flow_type(), activity.flow_start()) == (
                event.flow_id(), event.flow_type(), event.flow_start())
    assert {a.flow_id() for a in result.trace_activities()} == {0, 1, 2}


def test_activities_carry_the_overload_where_the_trace_does():
    with profile(experimental_config=_ExperimentalConfig(capture_overload_names=True)) as prof:
        torch.ones(1) + torch.ones(1)
    assert "aten::add.Tensor" in [a.name() for a in prof.profiler.kineto_results.trace_activities()]


def test_a_traceback_says_where_python_is():
    def inner():
        return _profiler.gather_traceback()

    first = inspect.getsourcelines(test_a_traceback_says_where_python_is)[1]
    (calls,) = _profiler.symbolize_tracebacks([inner()])
    assert calls[0] == {"name": "inner", "filename": __file__, "line": first + 2}
    assert (calls[1]["name"], calls[1]["line"]) == ("test_a_traceback_says_where_python_is", first + 5)


def test_a_traceback_keeps_no_frames():
    class Held:
        pass

    def inner():
        held = Held()
        return weakref.ref(held), _profiler.gather_traceback()

    held, _traceback = inner()
    assert held() is None


def test_a_traceback_of_nothing_but_cpp_is_empty():
    """Here nothing is C++; torch would name its own functions."""
    assert _profiler.symbolize_tracebacks([_profiler.gather_traceback(python=False)]) == [[]]


def test_what_is_no_traceback_is_refused():
    """torch crashes."""
    with pytest.raises(TypeError, match="wants a list of what gather_traceback"):
        _profiler.symbolize_tracebacks([3])
    with pytest.raises(TypeError, match="cannot create 'CapturedTraceback' instances"):
        _profiler.CapturedTraceback()
