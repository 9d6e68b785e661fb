"""Profiles of a device when something goes wrong: interrupts, forks, limits, damaged files."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import device as core_device
from mindtorch_v2.profiler import ProfilerActivity, combine, load, profile, record_function
from mindtorch_v2.profiler.export.event_list import _averages_of
from mindtorch_v2.profiler.export.trace_rules import load_events, validate_trace
from mindtorch_v2.profiler.results import file_format
from mindtorch_v2.record import device_activity

from .queue_device import STREAM, QueueDevice
from .test_hostile_saved_profiles import with_cell, with_fact, written
from .test_promise_running import interrupted_at_random

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]
SUMS = ("key", "count", "cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total",
        "device_memory_usage", "self_device_memory_usage", "cpu_memory_usage", "device_type", "use_device",
        "is_user_annotation", "input_shapes", "stack")


@pytest.fixture
def npu(monkeypatch):
    monkeypatch.setattr(core_device, "_own_name", "npu")
    device = QueueDevice()
    yield device
    device.close()


def trained(device: QueueDevice, **options):
    with profile(activities=BOTH, record_shapes=True, profile_memory=True, with_stack=True, **options) as prof:
        for size in (2, 3, 2):
            with record_function("step"):
                torch.ones(size).add(1)
                device.launch("add", 0)
                device.activity.allocated(4096, 100 * size)
            device.launch("copy", 0, "memcpy", 64)
        device.activity.released(4096, 50)
    return prof


@pytest.mark.parametrize(("by_shape", "by_stack"), list(itertools.product((False, True), (0, 2))))
def test_averages_from_columns_are_those_of_the_events_one_by_one(npu, by_shape, by_stack):
    prof = trained(npu)
    from_columns = prof.key_averages(group_by_input_shape=by_shape, group_by_stack_n=by_stack)
    one_by_one = _averages_of(list(prof.events()), by_shape, by_stack, False)
    for ours, theirs in itertools.zip_longest(from_columns, one_by_one):
        for name in SUMS:
            value = getattr(theirs, name)
            assert getattr(ours, name) == (pytest.approx(value) if isinstance(value, float) else value)


def test_who_interrupts_the_waiting_is_not_made_to_wait_again(npu):
    waits = []

    def interrupted():
        waits.append(1)
        raise KeyboardInterrupt

    npu.activity.synchronize = interrupted
    prof = profile(activities=BOTH)
    prof.start()
    with record_function("range"):
        npu.launch("kernel")
        npu._queue.join()
    with pytest.raises(KeyboardInterrupt):
        prof.stop()
    assert waits == [1] and device_activity._listeners == []
    assert [event.name for event in prof.events()] == ["range", "kernel"]


def test_an_interrupt_at_any_line_leaves_nobody_listening_to_devices(npu):
    def life():
        with profile(activities=BOTH, profile_memory=True), record_function("range"):
            npu.launch("kernel", 0)
            npu.activity.allocated(4096, 1)

    interrupted_at_random(life)
    assert device_activity._listeners == []
    assert npu.activity.launched(STREAM, "kernel") == 0


def test_a_profile_that_nobody_holds_hears_no_device_any_more(npu):
    prof = profile(activities=BOTH)
    prof.start()
    assert npu.launch("kernel") > 0
    with pytest.warns(UserWarning, match="dropped while it recorded"):
        del prof
    assert npu.activity.launched(STREAM, "kernel") == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_waits_for_nothing_that_was_launched_in_its_parent(npu):
    npu.hold()
    with profile(activities=BOTH) as prof:
        npu.launch("kernel")
        child = os.fork()
        if not child:
            os._exit(len(npu.activity._in_flight))
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert [event.name for event in prof.events()] == ["kernel"]


def test_collection_that_is_switched_off_leaves_out_what_is_launched_meanwhile(npu):
    with profile(activities=BOTH) as prof:
        npu.launch("before")
        prof.toggle_collection_dynamic(False, [ProfilerActivity.PrivateUse1])
        with record_function("call"):
            npu.launch("meanwhile")
        prof.toggle_collection_dynamic(True, [ProfilerActivity.PrivateUse1])
        prof.toggle_collection_dynamic(False, [ProfilerActivity.CPU])
        with record_function("another call"):
            npu.launch("after")
    assert sorted(event.name for event in prof.events()) == ["after", "before", "call"]


def test_work_of_an_op_that_is_left_out_is_credited_to_the_nearest_that_is_shown(npu):
    with profile(activities=BOTH, with_stack=True):  # somebody else wants Python's calls
        with profile(activities=BOTH) as prof, record_function("range"):
            (lambda: npu.launch("kernel"))()
    assert [kernel.name for kernel in prof.events()[0].kernels] == ["kernel"]


PROGRAM = """
import sys
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from queue_device import QueueDevice

torch.utils.rename_privateuse1_backend("npu")
device = QueueDevice()
with profile() as prof, record_function("range"):
    device.launch("kernel")
prof.save(sys.argv[1])
"""


def test_devices_of_two_processes_have_tracks_of_their_own_in_one_trace(tmp_path):
    paths = [tmp_path / name for name in ("first.mtprof", "second.mtprof")]
    for path in paths:
        subprocess.run([sys.executable, "-c", PROGRAM, path], check=True, cwd=Path(__file__).parent,
                       env=os.environ | {"PYTHONPATH": os.pathsep.join([".", *sys.path])})
    both = combine([load(path) for path in paths])
    both.export_chrome_trace(tmp_path / "trace.json")
    assert validate_trace(tmp_path / "trace.json") == (True, [])
    trace = json.loads((tmp_path / "trace.json").read_text())
    kernels = [e for e in trace["traceEvents"] if e.get("cat") == "kernel"]
    ranges = {e["args"]["External id"]: e["pid"] for e in trace["traceEvents"] if e["name"] == "range"}
    assert sorted((e["pid"], e["args"]["device"]) for e in kernels) == [(0, 0), (1000, 0)]
    assert {device["id"] for device in trace["deviceProperties"]} == {0, 1000}
    assert len(ranges) == 2 and {e["args"]["External id"] for e in kernels} == set(ranges)


def test_memory_of_a_device_is_heard_of_although_its_activity_was_not_asked_for(npu):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof, record_function("range"):
        npu.activity.allocated(4096, 100)
    assert prof.events()[0].device_memory_usage == 100 and prof.events()[0].use_device is None
    assert "NPU" not in prof.key_averages().table()


def test_lists_of_events_and_averages_are_traces_with_tracks_for_the_device(npu, tmp_path):
    prof = trained(npu)
    for rows, tracks in ((prof.events(), {("add", STREAM), ("copy", STREAM)}),
                         (prof.key_averages(), {("add", 0), ("copy", 0)})):
        rows.export_chrome_trace(tmp_path / "rows.json")
        of_device = [e for e in load_events(tmp_path / "rows.json") if e["pid"] == "NPU functions"]
        assert {(e["name"], e["tid"]) for e in of_device} == tracks
        assert all(e["dur"] == e["args"]["device_time_total"] > 0 for e in of_device)


@pytest.fixture
def members(npu, tmp_path) -> dict[str, bytes]:
    trained(npu).save(tmp_path / "saved.mtprof")
    with zipfile.ZipFile(tmp_path / "saved.mtprof") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


OUT_OF_RANGE = "is damaged: numbers in {} are out of range"
DAMAGES = {
    "a kind that there is not": (with_cell("device_activity", "kind", 3), OUT_OF_RANGE.format("device_activity/kind")),
    "no such name": (with_cell("device_activity", "name", 10**6), OUT_OF_RANGE.format("device_activity/name")),
    "no such thread": (with_cell("device_activity", "thread", 77), OUT_OF_RANGE.format("device_activity/thread")),
    "no such device": (with_cell("device_activity", "device_type", 99),
                       OUT_OF_RANGE.format("device_activity/device_type")),
    "ends too early": (with_cell("device_activity", "end_ns", 0), "activities of devices end before they begin"),
    "memory of no thread": (with_cell("device_memory", "thread", 77), OUT_OF_RANGE.format("device_memory/thread")),
    "too many bytes": (with_cell("device_memory", "change", 2**63 - 1), OUT_OF_RANGE.format("device_memory/change")),
    "a device that is no word": (with_fact("device", 3), "what it says of 'device' has another form"),
    "no bases": (with_fact("bases", "device_activity", {}), "does not say the base of device_activity/correlation"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_of_a_device_is_refused_in_a_sentence(members, tmp_path, damage):
    change, sentence = DAMAGES[damage]
    change(members)
    with pytest.raises(ValueError, match=sentence):
        load(written(members, tmp_path / "damaged.mtprof"))


def test_a_file_without_devices_can_be_read_by_readers_that_know_none(tmp_path):
    with profile() as prof:
        torch.ones(2)
    prof.save(tmp_path / "saved.mtprof")
    with zipfile.ZipFile(tmp_path / "saved.mtprof") as archive:
        facts = json.loads(archive.read("profile.json"))
        names = archive.namelist()
    assert facts["version"] == file_format.WITHOUT_DEVICES and "device" not in facts
    assert not any(name.startswith("device") for name in names)
    assert not set(facts["bases"]) & set(file_format.MISSING[file_format.WITHOUT_DEVICES])
    assert len(load(tmp_path / "saved.mtprof").events()) == 3
