"""Facts 27 to 39 of the trace file, as far as no other test holds them."""

from __future__ import annotations

import io
import json
import os

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _ExperimentalConfig, _RecordFunctionFast, profile, record_function
from mindtorch_v2.record import clock

from .reading import names


def trace_of(prof, **options) -> dict:
    text = io.StringIO()
    prof.export_chrome_trace(text, **options)
    return json.loads(text.getvalue(), parse_float=str)


def calls(trace: dict) -> list[dict]:
    return [e for e in trace["traceEvents"] if e.get("cat") in ("cpu_op", "user_annotation")]


def test_fact_29_times_are_exact_to_the_nanosecond():
    ticks = iter(range(10**15, 2 * 10**15, 1_234_567))
    with clock.fake(lambda: next(ticks)):
        with profile() as prof:
            with record_function("range"):
                torch.ones(2)
    trace = trace_of(prof)
    start = next(e for e in trace["traceEvents"] if e["name"] == "Iteration Start: PyTorch Profiler")["ts"]
    for event, call in zip(prof.events(), calls(trace), strict=True):
        assert call["name"] == event.name
        assert round(float(call["dur"]) * 1000) == round(event.time_range.elapsed_us() * 1000)
        since_start = _ns(call["ts"]) - _ns(start)
        assert since_start == round(event.time_range.start * 1000)


def _ns(microseconds: str) -> int:
    whole, _, part = microseconds.partition(".")
    return int(whole) * 1000 + int(part.ljust(3, "0"))


def test_fact_36_torch_s_other_exporter_writes_the_same():
    x = torch.ones(2, 3, requires_grad=True)
    with profile(record_shapes=True) as prof:
        with record_function("forward"):
            loss = x.mm(torch.ones(3, 4)).sum()
        loss.backward()
    shown = [[e for e in trace_of(prof, use_python_export=other)["traceEvents"] if e["ph"] in "Xsf"]
             for other in (False, True)]
    assert shown[0] == shown[1] and any(e["ph"] == "s" for e in shown[0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fact_37_a_forked_child_s_trace_is_the_child_s(tmp_path):
    child = os.fork()
    if child == 0:
        with profile() as prof:
            torch.ones(1)
        prof.export_chrome_trace(tmp_path / "child.json")
        os._exit(0)
    os.waitpid(child, 0)
    events = calls(json.loads((tmp_path / "child.json").read_text()))
    assert {(e["pid"], e["tid"]) for e in events} == {(child, child)} and events


def test_fact_39_modules_are_not_shown_without_stacks():
    layer = torch.nn.Linear(2, 2)
    with profile(with_modules=True) as prof:
        layer(torch.ones(1, 2))
    assert not [name for name in names(prof) if "Linear" in name or "nn.Module" in name]


def test_fact_44_values_of_a_range_are_shown_in_the_trace():
    """torch shows "None" for a text with a quote in it, and of lists only those of texts: ours stand beside them."""
    given = {"i": 1, "f": 1.5, "b": True, "s": "x", "quote": 'a"b', "words": ["u", "v"], "numbers": [1, 2]}
    with profile(record_shapes=True) as prof:
        with _RecordFunctionFast("fast", [], given):
            pass
    args = calls(trace_of(prof))[0]["args"]
    assert {key: args.get(key) for key in given} == given | {"f": "1.5", "quote": "None", "numbers": None}
    assert args["Keyword Inputs"] == {"quote": 'a"b', "numbers": [1, 2]}
    assert prof.events()[0].kwinputs == given


def test_a_stream_is_a_number():
    """torch shows no other under that name."""
    with profile(record_shapes=True) as prof:
        for stream in (0, "text"):
            with _RecordFunctionFast("fast", [], {"stream": stream}):
                pass
    said = [call["args"] for call in calls(trace_of(prof))]
    assert said[0]["stream"] == 0 and "Keyword Inputs" not in said[0]
    assert "stream" not in said[1] and said[1]["Keyword Inputs"] == {"stream": "text"}


def test_fact_52_overloads_stand_in_the_trace_s_names():
    with profile(experimental_config=_ExperimentalConfig(capture_overload_names=True)) as prof:
        torch.ones(2) + torch.ones(2)
    assert [e["name"] for e in calls(trace_of(prof)) if e["name"].startswith("aten::add")] == ["aten::add.Tensor"]
    add = next(e for e in prof.events() if e.name == "aten::add")
    assert (add.overload_name, add.trace_name) == ("Tensor", "aten::add")
    with profile() as prof:
        torch.ones(2) + torch.ones(2)
    assert "aten::add" in [e["name"] for e in calls(trace_of(prof))] and prof.events()[-1].overload_name == ""


def test_averages_tell_overloads_apart_without_being_told_to_record_them():
    with profile() as prof:
        torch.ones(2).fill_(torch.tensor(1.0))
    filled = [row for row in prof.key_averages(group_by_overload_name=True) if row.key == "aten::fill_"]
    assert sorted(row.overload_name for row in filled) == ["Scalar", "Tensor"]
