"""What torch._C._profiler and torch._C._autograd offer to programs that work without ``profile``."""

from __future__ import annotations

import inspect
import io
import json
import threading
import weakref

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._C import _autograd, _profiler
from mindtorch_v2._C._profiler import ActiveProfilerType, ProfilerConfig, ProfilerState, RecordScope
from mindtorch_v2.autograd import profiler_legacy
from mindtorch_v2.profiler import ProfilerActivity, _ExperimentalConfig, profile, record_function

CPU = {ProfilerActivity.CPU}


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


def config(shapes=False, trace_id="", state=ProfilerState.KINETO) -> ProfilerConfig:
    return ProfilerConfig(state, shapes, False, False, False, False, _ExperimentalConfig(), trace_id)


def by_hand(run, *scopes, **options):
    """The results of a profile that is switched on and off by torch's functions."""
    _autograd._prepare_profiler(config(**options), CPU)
    _autograd._enable_profiler(config(**options), CPU, set(scopes))
    try:
        run()
    finally:
        result = _autograd._disable_profiler()
    return result


def names(result) -> list[str]:
    return [event.name() for event in result.events()]


def test_a_profile_by_hand_records_between_enable_and_disable():
    result = by_hand(lambda: torch.ones(1))
    torch.zeros(1)
    assert names(result) == ["aten::ones", "aten::empty", "aten::fill_"]
    assert not _autograd._profiler_enabled()


def test_a_profile_by_hand_takes_the_wishes_of_its_config(tmp_path):
    result = by_hand(lambda: torch.ones(2).neg(), shapes=True, trace_id="mine")
    assert [e.shapes() for e in result.events() if e.name() == "aten::neg"] == [[[2]]]
    result.save(str(tmp_path / "t.json"))
    assert json.loads((tmp_path / "t.json").read_text())["trace_id"] == "mine"


def test_a_profile_by_hand_may_be_of_some_scopes_alone():
    def run():
        with record_function("mine"):
            torch.ones(1)

    assert names(by_hand(run, RecordScope.USER_SCOPE)) == ["mine"]
    assert names(by_hand(run, RecordScope.FUNCTION)) == ["aten::ones", "aten::empty", "aten::fill_"]


def test_enabling_needs_no_preparation_and_is_refused_twice():
    """torch crashes without."""
    _autograd._enable_profiler(config(), CPU)
    with pytest.raises(RuntimeError, match="Profiler is already enabled on this thread."):
        _autograd._enable_profiler(config(), CPU)
    torch.ones(1)
    assert names(_autograd._disable_profiler())[0] == "aten::ones"
    with pytest.raises(RuntimeError, match="No activities specified."):
        _autograd._enable_profiler(config(), set())
    with pytest.raises(RuntimeError, match="Supported only in Kineto profiler"):
        _autograd._prepare_profiler(config(state=ProfilerState.CPU), CPU)


def test_disabling_what_was_never_enabled_warns_and_gives_nothing(tmp_path):
    """torch crashes when that is saved."""
    with pytest.warns(UserWarning, match="no active profiling session found"):
        result = _autograd._disable_profiler()
    result.save(str(tmp_path / "t.json"))
    assert (names(result), result.experimental_event_tree(), result.trace_start_ns()) == ([], [], 0)


def test_profiling_is_told_on_every_thread():
    found = []
    with profile():
        thread = threading.Thread(target=lambda: found.append(_autograd._profiler_enabled()))
        thread.start()
        thread.join()
    assert found == [True]


def test_every_thread_has_a_profile_by_hand_of_its_own():
    found, both = {}, threading.Barrier(2, timeout=60)

    def work(op):
        found[op] = names(by_hand(lambda: (both.wait(), getattr(torch, op)(1), both.wait())))

    threads = [threading.Thread(target=work, args=(op,)) for op in ("ones", "zeros")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "aten::ones" in found["ones"] and "aten::zeros" in found["zeros"]


def test_who_is_profiling():
    assert _autograd._profiler_type() is ActiveProfilerType.NONE
    with profile():
        assert torch.autograd._profiler_enabled() and _autograd._profiler_type() is ActiveProfilerType.KINETO
        with profiler_legacy.profile():
            assert _autograd._profiler_type() is ActiveProfilerType.LEGACY
        assert _autograd._profiler_type() is ActiveProfilerType.KINETO
    assert not torch.autograd._profiler_enabled()


def test_metadata_goes_to_the_profile_that_records():
    torch.autograd._add_metadata_json("lost", "1")
    with profile() as prof:
        torch.autograd._add_metadata_json("key", "[1]")
        torch.autograd._add_metadata_json("no json", "[")
    text = io.StringIO()
    prof.export_chrome_trace(text)
    trace = json.loads(text.getvalue())
    assert trace["key"] == [1] and trace["no json"] == "[" and "lost" not in trace


def test_collection_is_switched_in_the_profile_that_records():
    with profile() as prof:
        torch.autograd._toggle_collection_dynamic(False, CPU)
        torch.ones(1)
        torch.autograd._toggle_collection_dynamic(True, CPU)
        torch.zeros(1)
    assert [e.name for e in prof.events() if e.cpu_parent is None] == ["aten::zeros"]


def test_a_range_with_values():
    def run():
        handle = _autograd._record_function_with_args_enter("hello", 1, torch.ones(2), "s", [torch.ones(1)], None, 2.5)
        _autograd._record_function_with_args_exit(handle)

    (hello,) = [e for e in by_hand(run, shapes=True).events() if e.name() == "hello"]
    assert hello.shapes() == [[], [2], [], [], [], []]
    assert hello.dtypes() == ["Scalar", "float", "", "TensorList", "", "Scalar"]
    assert hello.concrete_inputs() == [1, None, None, None, None, 2.5] and hello.is_user_annotation()
    with pytest.raises(RuntimeError, match="wants what _record_function_with_args_enter"):
        _autograd._record_function_with_args_exit(3)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _autograd._record_function_with_args_enter(3)


def test_arrows_can_be_switched_off():
    _profiler._set_fwd_bwd_enabled_val(False)
    try:
        prof = trained()
    finally:
        _profiler._set_fwd_bwd_enabled_val(True)
    assert {e.flow_id for e in prof.events()} == {0}
    assert {e.flow_id for e in trained().events()} == {0, 1, 2}
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _profiler._set_fwd_bwd_enabled_val("no")


def test_values_of_inputs_are_shown_whatever_the_switch_says():
    """As in torch, for ops of the processor."""
    _profiler._set_record_concrete_inputs_enabled_val(False)
    try:
        add, *_ = [e for e in trained().events() if e.name == "aten::add"]
    finally:
        _profiler._set_record_concrete_inputs_enabled_val(True)
    assert add.concrete_inputs == [None, None, 2]


def test_the_process_s_execution_trace_by_hand(tmp_path):
    assert _profiler._add_execution_trace_observer(str(tmp_path / "t.json"))
    with pytest.warns(UserWarning, match="already registered"):
        _profiler._add_execution_trace_observer(str(tmp_path / "other.json"))
    _profiler._enable_execution_trace_observer()
    torch.ones(1)
    _profiler._disable_execution_trace_observer()
    torch.zeros(1)
    _profiler._remove_execution_trace_observer()
    found = [node["name"] for node in json.loads((tmp_path / "t.json").read_text())["nodes"]]
    assert "aten::ones" in found and "aten::zeros" not in found and not (tmp_path / "other.json").exists()
    with pytest.warns(UserWarning, match="not initialized"):
        _profiler._remove_execution_trace_observer()
