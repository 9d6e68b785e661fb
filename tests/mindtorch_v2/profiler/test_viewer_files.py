"""Files for viewers: speedscope's, Perfetto's, flame graphs with ops, and what traces say for other programs."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile, record_function, schedule, tensorboard_trace_handler
from mindtorch_v2.profiler.export import protobuf
from mindtorch_v2.profiler.export.perfetto import export_perfetto
from mindtorch_v2.profiler.table import columns

from .views.tables import Row, made

MOST_BYTES_PER_EVENT = 25


async def waiting(number: int) -> None:
    with record_function(f"task {number}"):
        torch.ones(2)
        await asyncio.sleep(0.001 * (number + 1))


async def gathered() -> None:
    await asyncio.gather(*(waiting(number) for number in range(3)))


@pytest.fixture(scope="module")
def prof():
    model = torch.nn.Linear(4, 2)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as profiled:
        with record_function("漢字"):
            for _ in range(20):
                model(torch.ones(3, 4)).sum().backward()
        asyncio.run(gathered())
    return profiled


def written(export, **options) -> bytes:
    out = io.BytesIO()
    export(out, **options)
    return out.getvalue()


def trace_of(prof) -> dict:
    return json.loads(written(prof.export_chrome_trace))


def fields(data: bytes):
    """Number and value of every field of a protobuf message, read by hand."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            length = varint() if key & 7 == 2 else 8
            at += length
            yield key >> 3, data[at - length:at]


def packets(trace: bytes):
    for _, outer in fields(trace):
        (_, compressed), = fields(outer)
        for _, packet in fields(zlib.decompress(compressed)):
            yield dict(fields(packet))


def test_messages_of_any_size_can_be_read():
    values = np.array([0, 1, 127, 128, 300, 2**32, 2**63])
    even = values % 2 == 0
    data = protobuf.messages(9, protobuf.numbers(1, values), protobuf.numbers(70, values).where(even),
                             protobuf.fixed(2, values)).written()
    read = [dict(fields(message)) for number, message in fields(data) if number == 9]
    assert [message[1] for message in read] == values.tolist()
    assert [message.get(70) for message in read] == [value if value % 2 == 0 else None for value in values.tolist()]
    assert [int.from_bytes(message[2], "little") for message in read] == values.tolist()


def test_a_perfetto_trace_has_a_counter_for_each_device_s_memory():
    memory = columns.blank(columns.DEVICE_MEMORY, 2)
    memory["time_ns"], memory["total"], memory["device_index"] = [10, 20], [512, 256], [0, 1]
    table = replace(made([Row("aten::add", 0, 30)], device="cuda"), device_memory=memory)
    trace = io.BytesIO()
    export_perfetto(table, trace)
    read = list(packets(trace.getvalue()))
    described = b"".join(packet[60] for packet in read if 60 in packet)
    assert b"Memory of cuda:0" in described and b"Memory of cuda:1" in described
    assert [dict(fields(packet[11]))[30] for packet in read if 30 in dict(fields(packet.get(11, b"")))] == [512, 256]


def test_a_perfetto_trace_has_every_event_in_few_bytes(prof):
    trace = written(prof.export_perfetto)
    types = [dict(fields(packet[11])).get(9) for packet in packets(trace) if 11 in packet]
    n_events = sum(event["ph"] in "Xb" and event["cat"] != "Trace" for event in trace_of(prof)["traceEvents"])
    assert types.count(1) == types.count(2) == n_events
    assert types.count(4) == sum(event["ph"] == "C" for event in trace_of(prof)["traceEvents"])
    assert len(trace) <= MOST_BYTES_PER_EVENT * n_events


def test_speedscope_is_told_frames_once_and_calls_that_nest(prof):
    told = json.loads(written(prof.export_speedscope, name="mine"))
    frames = told["shared"]["frames"]
    assert {"name": "漢字"} in frames and told["name"] == "mine"
    assert any(frame["name"] == "waiting" and frame["file"].endswith("test_viewer_files.py") for frame in frames)
    for of_thread in told["profiles"]:
        still_open, last = [], of_thread["startValue"]
        for event in of_thread["events"]:
            assert event["at"] >= last
            last = event["at"]
            if event["type"] == "O":
                still_open.append(event["frame"])
            else:
                assert still_open.pop() == event["frame"]
        assert not still_open and last <= of_thread["endValue"]


def test_ranges_that_overlap_have_profiles_of_their_own_for_speedscope(prof):
    told = json.loads(written(prof.export_speedscope))
    apart = [of_thread for of_thread in told["profiles"] if "overlapping ranges" in of_thread["name"]]
    names = {told["shared"]["frames"][event["frame"]]["name"] for one in apart for event in one["events"]}
    assert names and names <= {f"task {number}" for number in range(3)}


@pytest.mark.parametrize("with_stack", [False, True])
def test_stacks_with_ops_add_up_to_the_self_time(with_stack):
    with profile(with_stack=with_stack) as profiled:
        with record_function("a range; of two words"):
            for _ in range(50):
                torch.ones(2).add(1)
    lines = written(profiled.export_stacks, with_ops=True).decode().splitlines()
    stacks = [line.rpartition(" ")[0] for line in lines]
    assert len(set(stacks)) == len(stacks)
    assert sum(int(line.rpartition(" ")[2]) for line in lines) == round(profiled.events().self_cpu_time_total)
    assert any(re.search("a_range__of_two_words;.*aten::add$", stack) for stack in stacks)


def test_files_of_a_loaded_profile_are_those_of_the_live_one(prof, tmp_path):
    prof.save(tmp_path / "run.mtprof")
    loaded = load(tmp_path / "run.mtprof")
    for name in ("export_perfetto", "export_speedscope"):
        assert written(getattr(loaded, name)) == written(getattr(prof, name))
    assert written(loaded.export_stacks, with_ops=True) == written(prof.export_stacks, with_ops=True)
    assert written(loaded.export_chrome_trace) == written(prof.export_chrome_trace)


def test_an_empty_profile_is_a_file_for_every_viewer():
    with profile() as nothing:
        pass
    assert json.loads(written(nothing.export_speedscope))["profiles"] == []
    assert len(list(packets(written(nothing.export_perfetto)))) == 1
    assert written(nothing.export_stacks, with_ops=True) == b""


def test_a_trace_has_letters_as_they_are_counters_numbers_for_processes_and_a_rank(prof, monkeypatch):
    text, trace = written(prof.export_chrome_trace), trace_of(prof)
    assert "漢字".encode() in text
    assert all(isinstance(event[place], int) for event in trace["traceEvents"] for place in ("pid", "tid"))
    changes = [event for event in trace["traceEvents"] if event["name"] == "[memory]"]
    counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
    assert [event["args"]["bytes"] for event in counters] == [event["args"]["Total Allocated"] for event in changes]
    assert trace["distributedInfo"] == {"rank": 0, "world_size": 1}
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "8")
    with profile() as ranked:
        torch.ones(1)
    assert trace_of(ranked)["distributedInfo"] == {"rank": 3, "world_size": 8}


def test_ranges_that_overlap_have_numbers_of_their_process_and_a_length(prof):
    events = trace_of(prof)["traceEvents"]
    begun = {event["id2"]["local"]: event for event in events if event["ph"] == "b"}
    ended = {event["id2"]["local"]: event for event in events if event["ph"] == "e"}
    assert begun.keys() == ended.keys() and len(begun) >= 2
    for number, event in begun.items():
        assert event["name"].startswith("task ") and abs(event["ts"] + event["dur"] - ended[number]["ts"]) < 1e-2


def test_traces_for_tensorboard_speak_the_words_of_its_plugin(tmp_path):
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(4, 4)), batch_size=2)
    model = torch.nn.Linear(4, 1)
    with profile(schedule=schedule(wait=0, warmup=0, active=1, repeat=1),
                 on_trace_ready=tensorboard_trace_handler(tmp_path)) as profiled:
        for batch, in loader:
            model(batch).sum().backward()
        profiled.step()
    (path,) = tmp_path.iterdir()
    for trace, arrows, loading in ((json.loads(path.read_bytes()), {"fwdbwd", "forward_backward"}, "cpu_op"),
                                   (trace_of(profiled), {"fwdbwd"}, "user_annotation")):
        events = trace["traceEvents"]
        assert {event["cat"] for event in events if event["ph"] == "s"} == arrows
        assert {event["cat"] for event in events if event["name"].startswith("enumerate(DataLoader)")} == {loading}
