"""Work on devices in profiles that are written while they record: spilled, recovered, cut off, damaged."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import device as core_device
from mindtorch_v2.profiler import ProfilerActivity, load, profile, record_function
from mindtorch_v2.profiler.session import drain
from mindtorch_v2.record import device_activity, device_journal, device_listener, journal_file, recorder
from mindtorch_v2.record.journal import VERSION, WITHOUT_DEVICES
from mindtorch_v2.record.layout import DEVICE_ACTIVITY, DEVICE_MEMORY

from .queue_device import STREAM, QueueDevice
from .test_promise_disk import FullDisk
from .test_promise_journals import read_everything

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]
COLUMNS = ("correlation", "launch_ns", "start_ns", "end_ns", "queue", "kind", "bytes", "device_type", "device_index")
OF_MEMORY = ("time_ns", "address", "change", "total", "device_type", "device_index")
ENDLESS = """
import sys, time
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from queue_device import QueueDevice

torch.utils.rename_privateuse1_backend("npu")
device = QueueDevice()
prof = profile(profile_memory=True, folder=sys.argv[1], {wishes})
prof.start()
for step in range(300):
    with record_function(f"step {{step}}"):
        device.launch(f"kernel {{step}}", 0)
        device.launch("copy", 0, "memcpy", 64 + step)
        device.activity.allocated(4096, 100)
device.synchronize()
print("ready", flush=True)
time.sleep(100)
"""


@pytest.fixture
def npu(monkeypatch):
    monkeypatch.setattr(core_device, "_own_name", "npu")
    device = QueueDevice()
    yield device
    device.close()


def work(device: QueueDevice, steps: int, first: int = 0) -> None:
    """Steps that launch work on a device and allocate memory of it."""
    for step in range(first, first + steps):
        with record_function(f"step {step}"):
            device.activity.ran(device.activity.launched(STREAM, f"kernel {step}"), device.clock_ns(),
                                device.clock_ns())
            device.activity.allocated(4096 * step, 100)


def device_rows(prof) -> list:
    """What devices did, as the table of a profile has it, with the names of the calls that launched it."""
    table = prof.profiler._recordings.table()
    names = [name for name, _ in table.names]
    event = dict(zip(table["id"].tolist(), table["name"].tolist()))
    name_of = {number: names[event[number]] if number else None for number in [0, *event]}
    activities = [tuple(int(table.device[column][row]) for column in COLUMNS)
                  + (names[table.device["name"][row]], name_of[int(table.device["event"][row])])
                  for row in range(table.device.n_rows)]
    changes = [tuple(int(table.device_memory[column][row]) for column in OF_MEMORY)
               + (name_of[int(table.device_memory["event"][row])],) for row in range(table.device_memory.n_rows)]
    return [activities, changes]


@pytest.mark.parametrize("wishes", ["overflow='spill', max_events=100", "overflow='spill'", "crash_safe=True"])
def test_a_killed_process_leaves_the_work_of_its_device_behind(tmp_path, wishes):
    with subprocess.Popen([sys.executable, "-c", ENDLESS.format(wishes=wishes), tmp_path], stdout=subprocess.PIPE,
                          cwd=Path(__file__).parent,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join([".", *sys.path])}) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1.2)
        process.send_signal(signal.SIGKILL)
    loaded = load(tmp_path)
    events = {event.name: event for event in loaded.events()}
    assert loaded.use_device == "npu" and "Self NPU" in loaded.key_averages().table()
    for step in range(300):
        call, kernel = events[f"step {step}"], events[f"kernel {step}"]
        assert [one.name for one in call.kernels] == [f"kernel {step}", "copy"] and call.device_memory_usage == 100
        assert kernel.linked_correlation_id == call.id and kernel.device_resource_id == STREAM
        assert kernel.time_range.start >= call.time_range.start
    copies = [event.event_metadata.bytes for event in loaded.events() if event.name == "copy"]
    assert sorted(copies) == [64 + step for step in range(300)]


@pytest.mark.parametrize("wishes", [{"crash_safe": True}, {"overflow": "spill"},
                                    {"overflow": "spill", "max_events": 20}])
def test_what_is_read_from_disk_is_what_the_live_profile_shows(npu, tmp_path, wishes):
    with profile(activities=BOTH, profile_memory=True, folder=tmp_path, **wishes) as prof:
        work(npu, 60)
        npu.launch("copy", 0.01, "memcpy", 4096)
    live, recovered = device_rows(prof), device_rows(load(tmp_path))
    assert recovered == live
    assert [row[-2:] for row in live[0]] == [(f"kernel {n}", f"step {n}") for n in range(60)] + [("copy", None)]
    assert [row[2] for row in live[1]] == [100] * 60 and prof.dropped_events == 0


def test_a_profile_that_spills_shows_all_work_and_holds_little_of_it(npu):
    with profile(activities=BOTH, profile_memory=True, overflow="spill", max_events=50) as prof:
        listener = prof.profiler._recordings._parts[-1].listener
        for first in range(0, 3000, 500):
            work(npu, 500, first)
            assert len(listener._activities) <= 50 and len(listener._memory) <= 100
            assert len(device_rows(prof)[0]) == first + 500
    assert [row[-2:] for row in device_rows(prof)[0]] == [(f"kernel {n}", f"step {n}") for n in range(3000)]
    assert len(listener._names) < 2 * 50 + device_listener.SPARE_NAMES + 2 and prof.dropped_events == 0


def test_another_profile_that_listens_at_the_same_time_loses_no_rows_to_work_that_spills(npu):
    with profile(activities=BOTH) as other, profile(activities=BOTH, overflow="spill", max_events=10) as prof:
        work(npu, 100)
    assert [row[-2:] for row in device_rows(other)[0]] == [row[-2:] for row in device_rows(prof)[0]]
    assert len(other.events()) == len(prof.events()) == 200


def test_work_that_a_full_disk_does_not_take_is_counted(npu, monkeypatch):
    disk = FullDisk(monkeypatch)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with profile(activities=BOTH, overflow="spill", max_events=100) as prof:
            for number in range(250):
                disk.is_full = number >= 50
                npu.activity.ran(npu.activity.launched(STREAM, f"kernel {number}"), number, number)
            disk.is_full = False
    assert len(device_rows(prof)[0]) + prof.dropped_events == 250 and 100 <= len(device_rows(prof)[0]) < 250
    assert sum("could not write to disk" in str(warning.message) for warning in caught) == 1


def test_work_that_is_dropped_from_memory_while_it_is_written_is_not_counted_as_lost(npu, monkeypatch):
    write = device_journal.write

    def slowly(file, recording):
        monkeypatch.setattr(device_journal, "write", write)
        for number in range(100, 200):  # more than there is room for comes meanwhile
            npu.activity.ran(npu.activity.launched(STREAM, f"kernel {number}"), number, number)
        write(file, recording)

    with profile(activities=BOTH, overflow="spill", max_events=60) as prof:
        monkeypatch.setattr(device_journal, "write", slowly)
        work(npu, 25)
        recorder._flush_journals()
    assert len(device_rows(prof)[0]) + prof.dropped_events == 125 and prof.dropped_events == 40


def test_a_bounded_crash_file_holds_the_newest_work(npu, tmp_path, monkeypatch):
    monkeypatch.setattr(drain, "CRASH_FILE_BYTES", 1 << 17)
    with profile(activities=BOTH, crash_safe=True, folder=tmp_path) as prof:
        for first in range(0, 4000, 200):
            work(npu, 200, first)
            recorder._flush_journals()
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1 << 18
        newest = device_rows(load(tmp_path))[0]
    assert 200 <= len(newest) < 4000
    assert [row[-2] for row in newest] == [row[-2] for row in device_rows(prof)[0][-len(newest):]]


def test_rows_that_the_limit_dropped_before_they_were_written_shift_no_credit(npu, tmp_path):
    with profile(activities=BOTH, profile_memory=True, crash_safe=True, max_events=40, folder=tmp_path):
        for first in range(0, 400, 100):
            work(npu, 100, first)
            torch.ones(first + 1)
            recorder._flush_journals()
        recovered = load(tmp_path)
    activities, changes = device_rows(recovered)
    assert activities and all(call in (None, name.replace("kernel", "step")) for *_, name, call in activities)
    assert any(call for *_, call in activities)
    bytes_of = {event.self_cpu_memory_usage for event in recovered.events() if event.name.startswith("step")}
    assert bytes_of == {0}


def test_clocks_are_compared_while_a_journal_is_written(npu, tmp_path, monkeypatch):
    monkeypatch.setattr(device_listener, "READING_PERIOD_NS", 0)
    with profile(activities=BOTH, crash_safe=True, folder=tmp_path):
        launches = [npu.launch("kernel", 0.02) for _ in range(5)]
        npu.synchronize()
        npu.launch("last", 0)
        npu._queue.join()
        recorder._flush_journals()
        rows = device_rows(load(tmp_path))[0]  # as it is when the process is killed now
    for number, row in zip(launches, rows):
        assert abs(row[2] - npu.ran_between[number][0]) < 500_000


@pytest.fixture
def written(npu, tmp_path) -> Path:
    """A journal with work of a device in several blocks."""
    with profile(activities=BOTH, profile_memory=True, with_stack=True, record_shapes=True, crash_safe=True,
                 folder=tmp_path) as prof:
        for first in range(0, 100, 10):
            work(npu, 10, first)
            recorder._flush_journals()
    path, = tmp_path.iterdir()
    yield path
    del prof


def test_of_a_journal_that_was_cut_off_whole_blocks_of_work_are_read(written):
    whole = written.read_bytes()
    counts = []
    for size in [*range(len(whole) // 3, len(whole), len(whole) // 20), len(whole)]:
        written.write_bytes(whole[:size])
        loaded = load(written)
        counts.append(len(device_rows(loaded)[0]))
        assert all(row[-1] == row[-2].replace("kernel", "step") for row in device_rows(loaded)[0])
    assert counts == sorted(counts) and counts[-1] == 100 and len(set(counts)) > 3


@pytest.mark.parametrize("flips", [1, 8, 200])
def test_a_damaged_journal_of_a_device_is_refused_or_is_a_smaller_profile(written, flips):
    whole, chance = written.read_bytes(), random.Random(flips)
    for _ in range(15):
        damaged = bytearray(whole)
        for _ in range(flips):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        written.write_bytes(damaged)
        read_everything(written)


GOOD = {"names": ["k"], "devices": [["npu", 0, [1, 2, 3], None]], "dropped": 0, "threads": [[1, 5, "main"]],
        "firsts": [0, 0], "counts": [1, 1]}
ACTIVITY = {"correlation": 1, "launch_ns": 5, "start_ns": 10, "end_ns": 20, "row": -1, "thread": 1}
CHANGE = {"time_ns": 5, "change": 100, "row": -1, "thread": 1}
HOSTILE_FACTS = {"names": [None, 5, []], "devices": [None, [], [["npu"]], [["npu", "0", None, None]],
                                                     [["npu", 1 << 40, None, None]], [["npu", 0, [1, 2], None]],
                                                     [["npu", 0, [1, 1 << 62, 3], None]], [["npu", 0, "now", None]]],
                 "dropped": [None, -1, 1.5, 1 << 70], "threads": [5, [[1]], [["1", 5, "main"]], [[2, 5, "main"]],
                                                              [[1, 5, "main"], [1 << 40, 6, "other"]]],
                 "firsts": [[0], [0, -1], None, [0, 0, 0]], "counts": [[2, 1], [1, 0], [1 << 62, 1 << 62], [-1, 2], 5]}
HOSTILE_CELLS = {"name": [-1, 1], "device": [-1, 1, 1 << 30], "thread": [0, 2, -1], "kind": [-1, 3],
                 "start_ns": [-(1 << 63), 30], "end_ns": [(1 << 63) - 1], "launch_ns": [(1 << 63) - 1], "row": [-2],
                 "bytes": [(1 << 63) - 1]}
HOSTILE_CHANGES = {"device": [-1, 1], "thread": [0, 7], "time_ns": [-(1 << 63)], "change": [-(1 << 63)], "row": [-9]}


def block(facts: dict, activity: dict, change: dict, length: int | None = None) -> bytes:
    """A block as a journal has it, with anything in it."""
    rows = [np.zeros(1, layout) for layout in (DEVICE_ACTIVITY, DEVICE_MEMORY)]
    for row, cells in zip(rows, (activity, change)):
        for name, value in cells.items():
            row[name] = value
    text = json.dumps(facts).encode()
    data = device_journal.LENGTH.pack(len(text) if length is None else length) + text + b"".join(
        row.tobytes() for row in rows)
    return journal_file.HEADER.pack(journal_file.MAGIC, journal_file.DEVICES, 0, 0, zlib.crc32(data), len(data)) + data


def appended(path: Path, data: bytes) -> Path:
    with path.open("ab") as file:
        file.write(data)
    return path


def test_a_block_that_a_listener_could_have_written_is_read(written):
    before = len(device_rows(load(written))[0])
    assert len(device_rows(load(appended(written, block(GOOD, ACTIVITY, CHANGE))))[0]) == before + 1


@pytest.mark.parametrize("hostile", [
    *(block(GOOD | {fact: value}, ACTIVITY, CHANGE) for fact, values in HOSTILE_FACTS.items() for value in values),
    *(block({name: value for name, value in GOOD.items() if name != missing}, ACTIVITY, CHANGE) for missing in GOOD),
    *(block(GOOD, ACTIVITY | {cell: value}, CHANGE) for cell, values in HOSTILE_CELLS.items() for value in values),
    *(block(GOOD, ACTIVITY, CHANGE | {cell: value}) for cell, values in HOSTILE_CHANGES.items() for value in values),
    *(block(GOOD, ACTIVITY, CHANGE, length) for length in (-1, 1, 1 << 40)), block([], ACTIVITY, CHANGE),
    journal_file.HEADER.pack(journal_file.MAGIC, journal_file.DEVICES, 0, 0, zlib.crc32(b"short"), 5) + b"short"])
def test_work_that_nobody_wrote_is_refused_in_a_sentence(written, hostile):
    with pytest.raises(ValueError, match="is damaged: it has work of devices that nobody wrote"):
        load(appended(written, hostile))


def test_a_journal_of_no_device_can_be_read_by_those_who_know_none(npu, tmp_path):
    for folder, activities, version in (("without", [ProfilerActivity.CPU], WITHOUT_DEVICES), ("with", BOTH, VERSION)):
        with profile(activities=activities, crash_safe=True, folder=tmp_path / folder) as prof:
            work(npu, 1)
        path, = (tmp_path / folder).iterdir()
        assert json.loads(path.read_bytes()[journal_file.HEADER.size:].split(b"mtj1")[0])["version"] == version
        del prof


def test_a_recovered_profile_can_be_saved_with_its_work(npu, tmp_path):
    with profile(activities=BOTH, profile_memory=True, crash_safe=True, folder=tmp_path / "run"):
        work(npu, 5)
        recorder._flush_journals()
        recovered = load(tmp_path / "run")
    recovered.save(tmp_path / "saved.mtprof")
    assert device_rows(load(tmp_path / "saved.mtprof")) == device_rows(recovered)
    assert load(tmp_path / "saved.mtprof").use_device == "npu"


def test_a_profile_of_chosen_kinds_and_of_the_device_alone_is_recovered_as_such(npu, tmp_path):
    with profile(activities=[{ProfilerActivity.PrivateUse1: ["GPU_MEMCPY"]}], crash_safe=True, folder=tmp_path):
        with record_function("range"):
            npu.launch("kernel", 0)
            npu.launch("copy", 0, "memcpy", 8)
            npu.synchronize()
        recorder._flush_journals()
        assert [event.name for event in load(tmp_path).events()] == ["copy"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_writes_the_work_that_it_launches_itself(npu, tmp_path):
    with profile(activities=BOTH, overflow="spill", max_events=10, folder=tmp_path) as prof:
        work(npu, 30)
        child = os.fork()
        if not child:
            work(npu, 20, 100)
            recorder._flush_journals()
            os._exit(len(device_rows(prof)[0]))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 20
    assert len(device_rows(prof)[0]) == 30 and device_activity._listeners == []
    assert {event.name for event in load(tmp_path).events() if event.name.startswith("kernel")} == {
        f"kernel {n}" for n in (*range(30), *range(100, 120))}
