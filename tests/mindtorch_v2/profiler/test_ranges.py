"""The user's own ranges, however they are opened and closed."""

from __future__ import annotations

import io
import json

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _RecordFunctionFast, profile, record_function

from .reading import names


def test_record_function_as_decorator_nests_recursive_calls():
    @record_function("again")
    def countdown(n):
        torch.ones(1)
        return countdown(n - 1) if n else "done"

    with profile() as prof:
        assert countdown(2) == "done"
    ranges = [e for e in prof.events() if e.name == "again"]
    assert len(ranges) == 3 and ranges[2].cpu_parent is ranges[1] and ranges[1].cpu_parent is ranges[0]
    assert all(e.is_user_annotation and e.scope == 7 for e in ranges) and countdown.__name__ == "countdown"


def test_record_function_on_a_generator_spans_all_of_it():
    @record_function("numbers")
    def numbers():
        yield torch.ones(1)
        yield torch.ones(1)

    with profile() as prof:
        assert len(list(numbers())) == 2
    assert [e.cpu_parent.name for e in prof.events() if e.name == "aten::ones"] == ["numbers", "numbers"]


def test_record_function_does_nothing_when_nobody_listens():
    with record_function("unheard") as entered:
        torch.ones(1)
    assert entered.name == "unheard"
    with profile() as prof:
        pass
    assert names(prof) == []


def test_record_function_refuses_names_that_are_no_text():
    with pytest.raises(RuntimeError, match="Expected a value of type 'str' for argument 'name' but instead found"):
        record_function(5)


def test_fast_range_keeps_its_values_and_is_shown_as_an_op():
    with profile(record_shapes=True) as prof:
        values, keywords = [torch.ones(2, 3), 1, 2.5, "text", [1, 2]], {"a": 1, "b": "q", "c": ["x", "y"]}
        with _RecordFunctionFast("fast", values, keywords):
            pass
        with _RecordFunctionFast("mine", [], {"scope": "user_scope"}):
            pass
    fast, mine = (next(e for e in prof.events() if e.name == name) for name in ("fast", "mine"))
    assert fast.input_shapes == [[2, 3], [], [], [], []] and fast.concrete_inputs == [None, 1, 2.5, None, [1, 2]]
    assert fast.input_dtypes == ["float", "Scalar", "Scalar", "", "ScalarList"]
    assert fast.kwinputs == {"a": 1, "b": "q", "c": ["x", "y"]}
    assert (fast.is_user_annotation, mine.is_user_annotation) == (False, True)


def test_unclosed_range_ends_with_the_profile():
    prof = profile()
    prof.start()
    record_function("open").__enter__()
    torch.ones(1)
    prof.stop()
    outer, ones = prof.events()[:2]
    assert outer.name == "open" and ones.cpu_parent is outer and outer.time_range.end >= ones.time_range.end
    text = io.StringIO()
    prof.export_chrome_trace(text)
    trace = json.loads(text.getvalue())["traceEvents"]
    assert next(e for e in trace if e["name"] == "open")["args"]["finished"] is False


def test_ranges_closed_out_of_order_are_no_children_of_each_other():
    first, second = record_function("first"), record_function("second")
    with profile() as prof:
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        torch.ones(1)
        second.__exit__(None, None, None)
    parents = {e.name: e.cpu_parent and e.cpu_parent.name for e in prof.events()}
    assert parents["second"] is None and parents["first"] is None and parents["aten::ones"] == "second"
    assert all(e.self_cpu_time_total >= 0 for e in prof.events())
