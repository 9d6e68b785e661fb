"""Facts 15 to 26: how a profile is made, what it refuses, what it says of itself."""

from __future__ import annotations

import io
import json
import logging
import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import profiler as autograd_profiler
from mindtorch_v2.profiler import ProfilerActivity, _ExperimentalConfig, profile, record_function

from .reading import names, some_ops

CPU = ProfilerActivity.CPU


def trace_of(prof, **options) -> list[dict]:
    text = io.StringIO()
    prof.export_chrome_trace(text, **options)
    return json.loads(text.getvalue())["traceEvents"]


@pytest.mark.parametrize("activities", [[{CPU: []}], {CPU: []}])
def test_fact_16_an_empty_filter_empties_the_trace_alone(activities):
    """Given as a bare dict, torch forgets the filter."""
    with profile(activities=activities) as prof:
        some_ops()
    assert {e.get("cat") for e in trace_of(prof)} == {None, "Trace"} and "aten::mm" in names(prof)


@pytest.mark.parametrize("kind", ["CUDA_RUNTIME", "CUDA_DRIVER", "XPU_RUNTIME", "EXTERNAL_CORRELATION",
                                  "PYTHON_FUNCTION", "CPU_INSTANT_EVENT", "PRIVATEUSE1_RUNTIME"])
def test_fact_16_a_filter_may_name_what_torch_s_may(kind):
    with profile(activities=[{CPU: [kind, "CPU_OP"]}]) as prof:
        some_ops()
    assert "cpu_op" in {e.get("cat") for e in trace_of(prof)}


def test_fact_19_an_autograd_profile_cannot_be_entered_twice():
    prof = autograd_profiler.profile()
    with prof:
        with pytest.raises(RuntimeError, match="Profiler context manager is not reentrant"):
            prof.__enter__()


def test_fact_21_a_time_limit_of_nothing_leaves_no_events_and_a_warning(caplog):
    with profile(post_processing_timeout_s=0.0) as prof:
        some_ops(50)
    with caplog.at_level(logging.WARNING, "torch.autograd.profiler"):
        assert not caplog.records and len(prof.events()) == 0
    assert "timed out after 0.000 seconds, returning partial results with 0 events" in caplog.text
    with pytest.raises(ValueError, match="post_processing_timeout_s must be non-negative"):
        profile(post_processing_timeout_s=-1).start()


def test_fact_22_trace_only_refuses_events_and_writes_the_same_trace():
    wanted = {}
    for trace_only in (False, True):
        config = _ExperimentalConfig(trace_only=trace_only)
        with profile(experimental_config=config, record_shapes=True) as prof:
            some_ops()
        wanted[trace_only] = [(e["name"], sorted(e["args"])) for e in trace_of(prof) if e.get("cat") == "cpu_op"]
    assert wanted[True] == wanted[False] != []
    for ask in (prof.events, prof.key_averages, prof.profiler.table, prof.profiler.total_average,
                lambda: str(prof.profiler)):
        with pytest.raises(RuntimeError, match="events\\(\\) is not available when trace_only=True in Experimental"):
            ask()
    assert prof._stats().number_of_events == 0


@pytest.mark.filterwarnings("ignore:with_stack=True. Python")
def test_fact_22_stacks_need_events_so_they_win_over_trace_only():
    with pytest.warns(UserWarning, match="trace_only=True is incompatible with with_stack=True"):
        with profile(experimental_config=_ExperimentalConfig(trace_only=True), with_stack=True) as prof:
            some_ops()
    assert "aten::mm" in names(prof)


def test_fact_25_events_are_counted_when_somebody_looks():
    with profile() as prof:
        some_ops()
    before = prof._stats()
    assert before.number_of_events == 0 and before.profiling_window_duration_sec > 0
    assert before.profiler_disable_call_duration_us >= 0 and prof.profiler.profiling_end_time_ns > 0
    n = len(prof.events())
    assert prof._stats().number_of_events == n > 0
    assert profile()._stats() is None


def test_switches_survive_pickling_and_refuse_what_they_cannot_be():
    given = _ExperimentalConfig(verbose=True, profiler_metrics=["m"], custom_profiler_config="c", trace_only=True)
    assert pickle.loads(pickle.dumps(given)) == given
    for wrong in ({"verbose": "yes"}, {"profiler_metrics": "abc"}, {"nope": 1}):
        with pytest.raises(TypeError):
            _ExperimentalConfig(**wrong)


@pytest.mark.parametrize(("text", "read"), [
    ("", {}), ('{"a": 1}', {"a": 1}), ("mine", {"backend": "mine"}), ("[1]", {}), ('{"a":', {"backend": '{"a":'})])
def test_a_configuration_of_one_s_own_is_kept_with_the_profile(text, read):
    prof = profile(experimental_config=_ExperimentalConfig(custom_profiler_config=text))
    assert prof._custom_profiler_config == read


def test_counters_of_the_processor_are_refused_with_a_warning():
    with pytest.warns(UserWarning, match="performance_events: .* not read here"):
        with profile(experimental_config=_ExperimentalConfig(performance_events=["cycles"])) as prof:
            some_ops()
    assert "aten::mm" in names(prof)  # torch loses all events where the counter cannot be read


def test_a_trace_has_the_name_its_user_gives_it():
    prof = profile(custom_trace_id_callback=lambda: "mine")
    assert prof.get_trace_id() is None
    with prof:
        assert prof.get_trace_id() == "mine"
        prof.set_custom_trace_id_callback(lambda: "next")
    with prof:
        assert prof.get_trace_id() == "next"


@pytest.mark.parametrize("device", ["cuda", "xpu", "hpu"])
def test_a_device_that_is_not_there_is_named(device):
    with pytest.warns(UserWarning, match=f"{device.upper()} is not available, disabling {device.upper()} profiling"):
        autograd_profiler.profile(use_device=device)
    with pytest.warns(UserWarning, match="The cpu is not a valid device option."):
        autograd_profiler.profile(use_device="cpu")


def test_device_events_alone_need_torch_s_newer_machinery():
    with pytest.raises(AssertionError, match="Device-only events supported only with Kineto"):
        autograd_profiler.profile(use_cpu=False)
    with pytest.raises(AssertionError, match="No activities specified for the profiler"):
        autograd_profiler.profile(use_cpu=False, use_kineto=True)


def test_somebody_profiles_or_nobody_does():
    assert autograd_profiler._is_profiler_enabled is False
    with profile(), record_function("r"):
        assert autograd_profiler._is_profiler_enabled is True
    assert autograd_profiler._is_profiler_enabled is False
    with autograd_profiler.profile(enabled=False) as prof:
        assert prof is None and torch.ones(1) is not None
