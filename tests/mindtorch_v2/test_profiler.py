"""The front of the profiler's suite: what a user of torch.profiler relies on. Deeper tests stand in profiler/."""

from __future__ import annotations

import gzip
import json
import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd.profiler_util import EventList, FunctionEventAvg
from mindtorch_v2.profiler import ProfilerActivity, profile, record_function

from .profiler.reading import count, cycle, row_of, some_ops

CPU = ProfilerActivity.CPU


def test_key_averages_count_and_add_up():
    with profile() as prof:
        some_ops(5)
    rows = prof.key_averages()
    mm = row_of(rows, "aten::mm")
    events = [e for e in prof.events() if e.name == "aten::mm"]
    assert mm.count == len(events) == 5
    assert mm.cpu_time_total == pytest.approx(sum(e.cpu_time_total for e in events))
    assert mm.cpu_time == pytest.approx(mm.cpu_time_total / 5)
    assert sum(r.self_cpu_time_total for r in rows) == pytest.approx(prof.events().self_cpu_time_total)


def test_key_averages_supports_group_by_input_shape():
    with profile(record_shapes=True) as prof:
        for n in (2, 2, 5):
            torch.ones(n, 3).mm(torch.ones(3, 4))
    rows = [r for r in prof.key_averages(group_by_input_shape=True) if r.key == "aten::mm"]
    assert [(r.input_shapes, r.count) for r in rows] == [([[2, 3], [3, 4]], 2), ([[5, 3], [3, 4]], 1)]
    assert [(r.input_shapes, r.count) for r in prof.key_averages() if r.key == "aten::mm"] == [("", 3)]
    assert "Input Shapes" in prof.key_averages(group_by_input_shape=True).table()


def test_key_averages_can_group_by_overload():
    with profile() as prof:
        x = torch.ones(2)
        torch.sum(x)
        torch.sum(x, 0)
    rows = [r for r in prof.key_averages(group_by_overload_name=True) if r.key == "aten::sum"]
    assert {r.overload_name for r in rows} == {"", "dim_IntList"} and sum(r.count for r in rows) == 2


def test_key_averages_table_unknown_sort_key_raises():
    with profile() as prof:
        some_ops()
    with pytest.raises(AttributeError, match="'FunctionEventAvg' object has no attribute 'nope'"):
        prof.key_averages().table(sort_by="nope")


def test_key_averages_row_exposes_torch_like_default_attributes():
    with profile() as prof:
        some_ops()
    row = row_of(prof.key_averages(), "aten::mm")
    assert (row.key, row.count, row.node_id) == ("aten::mm", 1, -1)
    assert (row.is_async, row.is_remote, row.is_legacy) == (False, False, False)
    assert (row.input_shapes, row.stack, row.overload_name, row.scope, row.flops) == ("", [], "", 0, 0)
    assert (row.device_time_total, row.self_device_time_total, row.device_memory_usage) == (0, 0, 0)
    assert row.use_device is None and row.device_type == "CPU"
    assert (str(row.device_type), repr(row.device_type)) == ("DeviceType.CPU", "<DeviceType.CPU: 0>")
    assert row.is_user_annotation is False and row.cpu_parent is None
    assert [c.name for c in row.cpu_children] == ["aten::resolve_conj"] * len(row.cpu_children)
    assert row.cpu_time_total_str.endswith("s") and row.device_time_str == "0.000us"


def test_key_averages_row_populates_memory_and_input_shape_fields():
    with profile(record_shapes=True, profile_memory=True) as prof:
        kept = torch.ones(2, 3)
    rows = prof.key_averages(group_by_input_shape=True)
    ones, empty = row_of(rows, "aten::ones"), row_of(rows, "aten::empty")
    assert (ones.cpu_memory_usage, ones.self_cpu_memory_usage) == (24, 0)
    assert (empty.cpu_memory_usage, empty.self_cpu_memory_usage) == (24, 24)
    assert row_of(rows, "aten::fill_").input_shapes == [[2, 3], []]
    assert "Self CPU Mem" in rows.table() and kept is not None


def test_key_averages_row_is_not_subscriptable_like_torch():
    with profile() as prof:
        some_ops()
    with pytest.raises(TypeError, match="'FunctionEventAvg' object is not subscriptable"):
        prof.key_averages()[0]["key"]


def test_key_averages_supported_export_stacks_metrics_matches_torch_shape():
    with profile() as prof:
        some_ops()
    assert prof.key_averages().supported_export_stacks_metrics() == [
        "self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total", "self_privateuse1_time_total"]


def test_key_averages_export_stacks_rejects_unsupported_metric(tmp_path):
    with profile() as prof:
        some_ops()
    with pytest.raises(ValueError, match="metric should be one of: .*self_cpu_time_total"):
        prof.key_averages().export_stacks(tmp_path / "stacks", "count")
    assert list(tmp_path.iterdir()) == []


def inner(x):
    return x + x


def outer(x):
    return inner(x)


def other(x):
    return inner(x)


def profile_of_three_calls() -> profile:
    """One op called from two places, twice and once."""
    x = torch.ones(2, 2)
    with profile(with_stack=True) as prof:
        for function in (outer, other, outer):
            function(x)
    return prof


def functions(stack: list[str]) -> list[str]:
    """The functions of a stack, without their files."""
    return [frame.split("): ")[1] for frame in stack]


def test_key_averages_supports_group_by_stack_n():
    prof = profile_of_three_calls()

    def adds(n):
        return [(functions(r.stack), r.count) for r in prof.key_averages(group_by_stack_n=n) if r.key == "aten::add"]

    assert adds(0) == [([], 3)]
    assert adds(1) == [(["inner"], 3)]
    assert adds(2) == [(["inner", "outer"], 2), (["inner", "other"], 1)]
    table = prof.key_averages(group_by_stack_n=2).table()
    assert "Source Location" in table and f"({inner.__code__.co_firstlineno}): inner" in table


def test_key_averages_export_stacks_writes_stack_lines(tmp_path):
    prof = profile_of_three_calls()
    rows = prof.key_averages(group_by_stack_n=2)
    for row in rows:
        row.self_cpu_time_total = 7 * row.count
    rows.export_stacks(tmp_path / "stacks", "self_cpu_time_total")
    lines = [line.rsplit(" ", 1) for line in (tmp_path / "stacks").read_text().splitlines()]
    of_adds = [([frame.split("):_")[1] for frame in stack.split(";")], int(value)) for stack, value in lines
               if stack.endswith(":_inner")]
    assert of_adds == [(["outer", "inner"], 14), (["other", "inner"], 7)]


def test_key_averages_export_chrome_trace_writes_valid_json(tmp_path):
    with profile(record_shapes=True) as prof:
        with record_function('quote " back \\ newline \n'):
            some_ops()
    prof.key_averages(group_by_input_shape=True).export_chrome_trace(tmp_path / "rows.json")
    written = json.loads((tmp_path / "rows.json").read_text())
    assert 'quote " back \\ newline \n' in [e["name"] for e in written["traceEvents"]]


def test_key_averages_export_chrome_trace_contains_row_entries(tmp_path):
    with profile() as prof:
        some_ops(3)
    rows = prof.key_averages()
    rows.export_chrome_trace(str(tmp_path / "rows.json"))
    written = json.loads((tmp_path / "rows.json").read_text())["traceEvents"]
    assert [e["name"] for e in written] == [r.key for r in rows]
    mm = next(e for e in written if e["name"] == "aten::mm")
    assert mm["ph"] == "X" and mm["args"]["count"] == 3 and {"cat", "pid", "tid", "ts", "dur"} <= set(mm)
    assert mm["args"]["self_cpu_time_total"] == row_of(rows, "aten::mm").self_cpu_time_total


def test_averages_in_a_trace_say_what_they_are_grouped_by_and_do_not_overlap(tmp_path):
    rows = profile_of_three_calls().key_averages(group_by_stack_n=2, group_by_overload_name=True)
    rows.export_chrome_trace(tmp_path / "rows.json")
    written = json.loads((tmp_path / "rows.json").read_text())["traceEvents"]
    assert [e["args"].get("stack", []) for e in written] == [r.stack for r in rows]
    adds = [e["args"] for e in written if e["name"] == "aten::add"]
    assert len({tuple(args["stack"]) for args in adds}) == 2
    assert [args["overload_name"] for args in adds] == ["Tensor", "Tensor"]
    assert all(before["ts"] + before["dur"] == pytest.approx(after["ts"], abs=1e-6)
               for before, after in zip(written, written[1:]))
    assert all(round(e["ts"], 3) == e["ts"] for e in written)


def test_a_list_of_averages_that_the_user_made_is_an_object_too(tmp_path):
    with profile() as prof:
        some_ops(3)
    EventList(sorted(prof.key_averages(), key=lambda row: row.count)[:2]).export_chrome_trace(tmp_path / "rows.json")
    assert len(json.loads((tmp_path / "rows.json").read_text())["traceEvents"]) == 2


def test_events_export_chrome_trace_writes_torch_s_bare_list(tmp_path):
    with profile() as prof:
        some_ops(3)
    prof.events().export_chrome_trace(tmp_path / "events.json")
    assert [e["name"] for e in json.loads((tmp_path / "events.json").read_text())] == [e.name for e in prof.events()]


def test_no_averages_are_an_object_too(tmp_path):
    with profile() as prof:
        pass
    pickle.loads(pickle.dumps(prof.key_averages())).export_chrome_trace(tmp_path / "rows.json")
    assert json.loads((tmp_path / "rows.json").read_text()) == {"traceEvents": []}


def test_adding_a_row_to_itself_doubles_it():
    with profile() as prof:
        some_ops(2)
    row = row_of(prof.key_averages(), "aten::mm")
    total = row.cpu_time_total
    row.add(row)
    assert row.count == 4 and row.cpu_time_total == 2 * total and row.cpu_time == total / 2
    with pytest.raises(AssertionError, match="Expected other to be a FunctionEvent or FunctionEventAvg"):
        row.add("x")


def test_total_average_is_over_everything():
    with profile() as prof:
        some_ops()
    total = prof.events().total_average()
    assert isinstance(total, FunctionEventAvg) and total.key == "Total" and total.count == len(prof.events())
    assert total.self_cpu_time_total == pytest.approx(prof.events().self_cpu_time_total)


def test_a_range_named_like_an_op_is_a_row_of_its_own():
    with profile() as prof:
        with record_function("aten::mm"):
            some_ops()
    rows = [r for r in prof.key_averages() if r.key == "aten::mm"]
    assert [(r.is_user_annotation, r.count) for r in rows] == [(True, 1), (False, 1)]


def test_profile_exposes_acc_events_flag_and_defaults_false():
    assert profile().acc_events is False


def test_profile_accepts_acc_events_init_kwarg():
    with profile(schedule=cycle(wait=0, warmup=0, active=1, repeat=3), acc_events=True) as prof:
        for _ in range(5):
            torch.ones(1)
            prof.step()
    assert prof.acc_events is True
    assert count(prof, "aten::ones") == 3 and count(prof, "ProfilerStep*") == 3


def test_profile_toggle_collection_dynamic_blocks_and_restores_cpu_collection():
    with profile(profile_memory=True) as prof:
        with record_function("range"):
            torch.ones(2)
            prof.toggle_collection_dynamic(False, [CPU])
            with record_function("unseen"):
                torch.zeros(2)
                prof.toggle_collection_dynamic(True, [CPU])
                torch.empty(3)
    assert [(e.name, e.cpu_parent and e.cpu_parent.name) for e in prof.events()] == [
        ("range", None), ("aten::ones", "range"), ("aten::empty", "aten::ones"), ("aten::fill_", "aten::ones"),
        ("aten::empty", "range")]


def test_profile_add_metadata_requires_string_value():
    with profile() as prof:
        with pytest.raises(AttributeError, match="'int' object has no attribute 'replace'"):
            prof.add_metadata("key", 5)


def test_profile_add_metadata_json_accepts_raw_string(tmp_path):
    with profile() as prof:
        prof.add_metadata_json("raw", '{"a": [1, null]}')
        prof.add_metadata('quo"te', 'va"lue')
    prof.add_metadata_json("no json", "{bad")
    prof.export_chrome_trace(tmp_path / "t.json")
    trace = json.loads((tmp_path / "t.json").read_text())
    assert trace["raw"] == {"a": [1, None]} and trace["no json"] == "{bad" and trace['quo"te'] == 'va"lue'


def test_profile_preset_metadata_json_available_before_start(tmp_path):
    prof = profile()
    prof.preset_metadata_json("before", "[1]")
    assert prof.preset_metadata == {"before": "[1]"}
    with prof:
        torch.ones(1)
    prof.export_chrome_trace(tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["before"] == [1]


def test_profile_export_memory_timeline_requires_memory_related_flags():
    prof = profile(profile_memory=True)
    with pytest.warns(FutureWarning, match="`export_memory_timeline` is deprecated"):
        with pytest.raises(ValueError, match="^record_shapes=True, with_stack=True required for memory profiling.$"):
            prof.export_memory_timeline("x.html")


@pytest.mark.parametrize("name", ["memory.html", "memory.json", "memory.json.gz", "memory.raw.json.gz"])
def test_profile_export_memory_timeline_writes_every_format(tmp_path, name):
    weight = torch.ones(4, requires_grad=True)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        (weight * 2).sum().backward()
    with pytest.warns(FutureWarning):
        prof.export_memory_timeline(str(tmp_path / name))
    data = (tmp_path / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    assert "<svg" in text if name.endswith(".html") else len(json.loads(text)) >= 2
    assert type(prof.mem_tl).__name__ == "MemoryProfileTimeline"
