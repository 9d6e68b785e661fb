"""What a report shows: every event in its lane, tables as the views have them, the same live and loaded."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile, schedule
from mindtorch_v2.profiler.report import report
from mindtorch_v2.profiler.report.blob import Blob
from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.table.columns import Given
from mindtorch_v2.profiler.table.event_table import Thread
from mindtorch_v2.profiler.views.digest import Digest

from ..views.tables import PYTHON, RANGE, Row, made, training_step
from .reading import data_of, starts_of


def shown(rows, **options):
    return data_of(report.html(report.Source(made(rows, **options))))


def trained(steps: int = 2, **options) -> profile:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters())
    with profile(schedule=schedule(wait=0, warmup=1, active=steps, repeat=1), **options) as prof:
        for _ in range(steps + 1):
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            prof.step()
    return prof


EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": True,
              "with_modules": True}


def test_every_event_stands_in_a_lane_with_its_times():
    timeline = shown(training_step())["timeline"]
    events = set(zip(starts_of(timeline).tolist(), timeline["duration"].tolist()))
    assert {(row.start_ns, row.end_ns - row.start_ns) for row in training_step()} == events


def test_nothing_overlaps_in_a_lane_even_where_ranges_do():
    rows = [Row("first", 0, 60, RANGE), Row("second", 30, 90, RANGE), Row("aten::mm", 40, 50),
            Row("third", 95, 99, RANGE)]
    timeline = shown(rows)["timeline"]
    starts, begins = starts_of(timeline), [*timeline["lanes"]["begin"].tolist(), len(rows)]
    for first, stop in zip(begins, begins[1:]):
        ends = starts[first:stop] + timeline["duration"][first:stop]
        assert (starts[first + 1:stop] >= ends[:-1]).all()
    assert len(starts) == len(rows)


def test_a_forward_op_is_linked_with_its_backward_node():
    data = shown(training_step())
    timeline, words = data["timeline"], data["words"]
    pairs = {(words[timeline["word"][a]], words[timeline["word"][b]])
             for a, b in zip(timeline["flows"]["from"], timeline["flows"]["to"])}
    assert ("aten::addmm", "AddmmBackward0") in pairs and ("aten::relu", "ReluBackward0") in pairs


def test_threads_that_only_wait_are_marked():
    rows = [Row("aten::mm", 0, 10), Row("queue.py(154): get", 0, 100, PYTHON, thread=2)]
    assert [track["waits"] for track in shown(rows)["timeline"]["tracks"]] == [False, True]


def test_a_timeline_of_too_many_events_keeps_the_longest(monkeypatch):
    monkeypatch.setattr("mindtorch_v2.profiler.report.timeline.MOST_EVENTS", 2)
    timeline = shown([Row("aten::a", 0, 10), Row("aten::b", 10, 11), Row("aten::c", 20, 50)])["timeline"]
    assert (timeline["duration"].tolist(), timeline["left_out"]) == ([10, 30], 1)


def test_tables_hold_what_the_views_say():
    prof = trained(**EVERYTHING)
    buffer = io.BytesIO()
    prof.report(buffer)
    data, digest = data_of(buffer.getvalue().decode()), Digest(prof.profiler._recordings.table())
    assert [row[:1] + row[5:7] for row in data["ops"]["name"]["rows"]] == [
        [row.name, row.own_ns, row.total_ns] for row in digest.ops()]
    assert [row[2] for row in data["steps"]["rows"]] == [step.wall for step in digest.steps]
    assert [row[0] for row in data["modules"]["rows"]] == ["Sequential", "0", "1", "2"]
    assert data["flame"]["down"]["self"].sum() == data["flame"]["up"]["self"].sum() == digest.visible.self_ns.sum()
    assert [finding["title"] for finding in data["findings"]]


def test_memory_is_shown_by_category_and_the_peak_says_what_is_alive_for_what():
    prof = trained(**EVERYTHING)
    buffer = io.BytesIO()
    prof.report(buffer)
    memory = data_of(buffer.getvalue().decode())["memory"]
    assert memory["timeline"]["names"][:3] == ["parameter", "optimizer state", "input"]
    total = np.sum(memory["timeline"]["sizes"], axis=0)
    assert memory["peak"]["bytes"] == total.max()
    assert memory["peak"]["before"] + sum(row[5] for row in memory["peak"]["holders"]) == memory["peak"]["bytes"]
    assert {row[3] for row in memory["peak"]["holders"]} & {"activation", "gradient", "optimizer state"}


def test_without_shapes_and_stacks_memory_is_shown_as_a_whole():
    memory = shown(training_step(), memory=[(130, 1, 64, 4), (540, 2, 32, 10)])["memory"]
    assert memory["timeline"]["names"] == ["alive"]
    assert memory["timeline"]["time"].tolist() == [0, 130, 540]
    assert memory["timeline"]["sizes"][0].tolist() == [0, 64, 96]


def test_what_was_not_recorded_is_not_there():
    data = shown([Row("aten::mm", 0, 10)])
    assert data["modules"] is None and data["memory"] == {"timeline": None, "peak": None, "devices": []}
    assert list(data["ops"]) == ["name"] and data["compare"] is None


def test_an_empty_profile_has_a_report():
    data = shown([])
    assert data["steps"]["rows"] == [] and data["findings"] == [] and len(data["timeline"]["duration"]) == 0


def test_a_loaded_profile_gives_the_same_page_as_the_live_one(tmp_path):
    prof = trained(**EVERYTHING)
    prof.save(tmp_path / "saved.mtprof")
    prof.report(tmp_path / "live.html")
    load(tmp_path / "saved.mtprof").report(tmp_path / "loaded.html")
    assert (tmp_path / "live.html").read_bytes() == (tmp_path / "loaded.html").read_bytes()


def test_another_profile_is_compared_with():
    buffer = io.BytesIO()
    trained().report(buffer, against=trained(steps=3))
    compare = data_of(buffer.getvalue().decode())["compare"]
    assert compare["steps"] == [3, 2]
    assert [row[0] for row in compare["phases"]] == ["wall", "data", "forward", "backward", "optimizer", "other"]
    with pytest.raises(TypeError, match="against must be a profile, live or loaded, not str"):
        trained().report(buffer, against="step.mtprof")


def test_a_report_while_the_profile_records_shows_what_there_is_so_far():
    buffer = io.BytesIO()
    with profile() as prof:
        torch.ones(2) + 1
        prof.report(buffer)
    assert "aten::add" in data_of(buffer.getvalue().decode())["words"]


def test_a_profile_that_has_not_begun_has_nothing_to_report(tmp_path):
    with pytest.raises(AssertionError, match="Profiler must be initialized before writing a report"):
        profile().report(tmp_path / "out.html")


def test_a_folder_that_is_missing_is_an_error_and_leaves_nothing(tmp_path):
    with pytest.raises(FileNotFoundError):
        trained().report(tmp_path / "missing" / "out.html")
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_every_size_come_back_as_they_were():
    for values, grows in (([0, 255], False), ([5, 70_000], False), ([1 << 40, 3], False), ([-7, 2], False),
                          ([10, 20, 15, 1 << 33], True), ([], True)):
        blob = Blob()
        facts = {"numbers": blob.add(np.array(values, np.int64), grows)}
        page = f'<script type="text/plain" id="data">{blob.text(facts)}</script>'
        assert data_of(page)["numbers"].tolist() == values


def test_of_several_processes_memory_is_that_of_the_first():
    table = made([*training_step(), Row("aten::ones", 10, 20, thread=2)], memory=[(130, 1, 64, 4), (140, 2, 32, 4)])
    table = replace(table, threads=(Thread(1, 101, "MainThread", 7), Thread(2, 102, "worker", 8)),
                    memory=dict(table.memory, thread=np.array([1, 2], np.int32)))
    data = data_of(report.html(report.Source(table)))
    assert [row[0] for row in data["threads"]] == ["MainThread", "worker"]
    assert (data["memory"]["peak"]["bytes"], len(data["memory"]["peak"]["holders"])) == (64, 1)


def test_memory_of_devices_is_told_device_by_device():
    rows = [(10, 0, 64, 64), (20, 1, 32, 32), (30, 0, -64, 0)]
    memory = columns.blank(columns.DEVICE_MEMORY, len(rows))
    for place, (time_ns, device, change, total) in enumerate(rows):
        for name, value in (("time_ns", time_ns), ("device_index", device), ("change", change), ("total", total)):
            memory[name][place] = value
    memory["device_type"][:], memory["thread"][:] = 20, 1
    table = replace(made([Row("aten::ones", 0, 50)], device="npu"), device_memory=Given(columns.DEVICE_MEMORY, memory))
    shown_memory = data_of(report.html(report.Source(table)))["memory"]
    assert shown_memory["devices"] == [["npu:0", 64, 0, 2], ["npu:1", 32, 32, 1]]
