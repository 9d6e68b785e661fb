"""Trace files: their frame, where they can be written, and that they always parse."""

from __future__ import annotations

import gzip
import io
import json
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function, schedule, tensorboard_trace_handler
from mindtorch_v2.profiler.export.files import writing

from .reading import some_ops


def test_a_trace_has_torch_s_frame(tmp_path):
    with profile(record_shapes=True, profile_memory=True) as prof:
        some_ops()
    prof.export_chrome_trace(str(tmp_path / "t.json"))
    trace = json.loads((tmp_path / "t.json").read_text())
    events = trace.pop("traceEvents")
    assert trace.pop("trace_id") == prof.get_trace_id() and len(prof.get_trace_id()) == 32
    assert isinstance(trace.pop("host_name"), str) and isinstance(trace.pop("baseTimeNanoseconds"), int)
    assert trace == {"schemaVersion": 1, "deviceProperties": [], "profile_memory": 1, "record_shapes": 1,
                     "distributedInfo": {"rank": 0, "world_size": 1}, "displayTimeUnit": "ms",
                     "traceName": str(tmp_path / "t.json")}
    assert [e["name"] for e in events[-4:]] == ["PyTorch Profiler (0)", "process_sort_index",
                                                "Iteration Start: PyTorch Profiler", "Record Window End"]
    start, end = events[-2]["ts"], events[-1]["ts"]
    assert all(start <= e["ts"] and e["ts"] + e.get("dur", 0) <= end + 1e-3 for e in events)


def test_an_empty_profile_is_a_valid_trace():
    with profile() as prof:
        pass
    text = io.BytesIO()
    prof.export_chrome_trace(text)
    assert len(json.loads(text.getvalue())["traceEvents"]) > 0 and len(prof.events()) == 0
    assert prof.key_averages().table() == ""


def test_no_text_ends_in_an_escaped_backslash(tmp_path):
    r"""Perfetto reads the quote behind it as \", and then nothing of the whole trace."""
    names = ["C:\\", "\\\\", '\\"', "a\\b"]
    with profile() as prof:
        for name in names:
            with record_function(name):
                pass
    prof.export_chrome_trace(tmp_path / "t.json")
    text = (tmp_path / "t.json").read_text()
    events = json.loads(text)["traceEvents"]
    assert [event["name"] for event in events if event.get("cat") == "user_annotation"] == names
    assert '\\\\",' not in text


def test_a_trace_can_be_written_again_and_compressed(tmp_path):
    with profile() as prof:
        some_ops()
    for name in ("a.json", "b.json"):
        prof.export_chrome_trace(tmp_path / name)
    prof.export_chrome_trace(tmp_path / "c.json.gz")
    plain = [json.loads((tmp_path / name).read_text())["traceEvents"] for name in ("a.json", "b.json")]
    packed = json.loads(gzip.decompress((tmp_path / "c.json.gz").read_bytes()))["traceEvents"]
    assert plain[0] == plain[1] == packed


def test_a_trace_that_cannot_be_written_raises_and_can_be_written_elsewhere(tmp_path):
    with profile() as prof:
        some_ops()
    with pytest.raises(FileNotFoundError) as caught:
        prof.export_chrome_trace(tmp_path / "missing" / "t.json")
    assert caught.value.filename == str(tmp_path / "missing" / "t.json")
    prof.export_chrome_trace(tmp_path / "t.json")
    assert [p.name for p in tmp_path.iterdir()] == ["t.json"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a device that is always full")
def test_a_full_disk_raises():
    with profile() as prof:
        some_ops()
    with pytest.raises(OSError, match="No space left"):
        prof.export_chrome_trace("/dev/full")


@pytest.mark.parametrize("name", ['"', "\\", "\n\t\x00\x1f", "\u2028", "\ud800", "中文 🎉", "</script>", "NaN"])
def test_any_name_gives_a_valid_trace(name, tmp_path):
    with profile(record_shapes=True) as prof:
        with record_function(name, name):
            pass
    prof.add_metadata(name, name)
    prof.export_chrome_trace(tmp_path / "t.json")
    trace = json.loads((tmp_path / "t.json").read_bytes())
    assert name in [e["name"] for e in trace["traceEvents"]] and trace[name] == name


def test_tensorboard_handler_writes_one_file_per_cycle(tmp_path):
    with profile(schedule=schedule(wait=0, warmup=1, active=1, repeat=3),
                 on_trace_ready=tensorboard_trace_handler(tmp_path / "logs", "worker", use_gzip=True)) as prof:
        for _ in range(6):
            torch.ones(1)
            prof.step()
    files = sorted(p.name for p in (tmp_path / "logs").iterdir())
    assert len(files) == 3 and all(f.startswith("worker.") and f.endswith(".pt.trace.json.gz") for f in files)


@pytest.mark.parametrize("name", ["t.json", "t.json.gz"])
def test_a_file_that_breaks_off_leaves_what_was_there_before(name, tmp_path):
    (tmp_path / name).write_text("before")
    with pytest.raises(KeyboardInterrupt):
        with writing(tmp_path / name) as out:
            out.write(b"half of it")
            raise KeyboardInterrupt
    assert [p.name for p in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "before"


def test_the_profile_s_own_span_ends_within_the_window_however_readers_round(tmp_path):
    for _ in range(20):
        with profile() as prof:
            torch.ones(1)
        prof.export_chrome_trace(str(tmp_path / "trace.json"))
        events = {event["name"]: event for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]}
        span = events["PyTorch Profiler (0)"]
        assert span["ts"] + span["dur"] <= events["Record Window End"]["ts"]
