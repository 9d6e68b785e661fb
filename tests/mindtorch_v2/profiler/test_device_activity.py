"""Work that runs on a device's own queue: timed by the device's clock, credited to whoever launched it."""

from __future__ import annotations

import threading
import time

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import device as core_device
from mindtorch_v2.profiler import ProfilerActivity, combine, load, profile, record_function
from mindtorch_v2.profiler.export.trace_rules import load_events, validate_trace
from mindtorch_v2.record import device_activity
from mindtorch_v2.record.device_activity import DeviceActivity

from .queue_device import STREAM, QueueDevice
from .saved_answers import answers

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]
CLOSE_NS = 500_000  # that the reading of a clock may be off on a busy machine


@pytest.fixture
def npu(monkeypatch):
    monkeypatch.setattr(core_device, "_own_name", "npu")
    device = QueueDevice()
    yield device
    device.close()


def by_name(prof) -> dict:
    return {event.name: event for event in prof.events()}


def profiled(device: QueueDevice, **options):
    """Two ranges, one in the other, that launch work; some is launched outside of both."""
    with profile(activities=BOTH, **options) as prof:
        with record_function("outer"):
            device.launch("outer kernel", 0.001)
            with record_function("inner"):
                device.launch("inner kernel", 0.003)
                device.launch("copy", 0.001, "memcpy", 4096)
        device.launch("nobody's", 0.001)
    return prof


def test_times_land_on_the_hosts_clock_although_the_devices_is_hours_off_and_drifts(npu):
    with profile(activities=BOTH) as prof:
        launches = []
        for _ in range(5):
            launches.append(npu.launch("kernel"))
            time.sleep(0.02)  # the device's clock gains some 20 us meanwhile
    table = prof.profiler._recordings.table().device
    for number, start_ns, end_ns in zip(launches, table["start_ns"], table["end_ns"]):
        host_start_ns, host_end_ns = npu.ran_between[number]
        assert abs(start_ns - host_start_ns) < CLOSE_NS and abs(end_ns - host_end_ns) < CLOSE_NS
    assert (table["start_ns"] >= table["launch_ns"]).all() and (table["end_ns"] >= table["start_ns"]).all()


def test_work_is_credited_to_the_range_that_launched_it_although_it_ends_later(npu):
    npu.hold()
    events = by_name(profiled(npu))
    inner, kernel = events["inner"], events["inner kernel"]
    assert kernel.time_range.start > inner.time_range.end
    assert [(k.name, k.device) for k in inner.kernels] == [("inner kernel", 0), ("copy", 0)]
    assert inner.kernels[0].duration == kernel.device_time_total == pytest.approx(kernel.time_range.elapsed_us())
    assert kernel.linked_correlation_id == kernel.external_id == inner.id


def test_work_is_credited_to_the_op_that_launched_it_whatever_python_stands_between(npu):
    with torch.library._scoped_library("queued", "FRAGMENT") as lib:
        lib.define("work(Tensor x) -> Tensor")
        lib.impl("work", lambda x: (npu.launch("kernel"), x.clone())[1], "CPU")
        with profile(activities=BOTH, with_stack=True) as prof:
            torch.ops.queued.work(torch.ones(2))
    op = by_name(prof)["queued::work"]
    assert [kernel.name for kernel in op.kernels] == ["kernel"] and op.self_device_time_total > 0


def test_device_time_of_a_range_is_its_own_and_that_of_its_children(npu):
    events = by_name(profiled(npu))
    outer, inner = events["outer"], events["inner"]
    kernels = [events[name].device_time_total for name in ("outer kernel", "inner kernel", "copy", "nobody's")]
    assert outer.self_device_time_total == pytest.approx(kernels[0])
    assert inner.self_device_time_total == inner.device_time_total == pytest.approx(kernels[1] + kernels[2])
    assert outer.device_time_total == pytest.approx(sum(kernels[:3]))
    rows = profiled(npu).key_averages()
    of_calls = sum(row.self_device_time_total for row in rows if row.key in ("outer", "inner"))
    of_kernels = sum(row.device_time_total for row in rows if row.key in ("outer kernel", "inner kernel", "copy"))
    assert of_calls == pytest.approx(of_kernels)


def test_events_of_a_device_say_where_they_ran(npu):
    prof = profiled(npu)
    event = by_name(prof)["copy"]
    assert (event.device_type.value, event.device_index, event.device_resource_id) == (20, 0, STREAM)
    assert event.activity_type == "gpu_memcpy" and event.use_device == "npu" and not event.is_async
    assert event.event_metadata.bytes == 4096 and event.event_metadata.stream == STREAM
    assert (event.cpu_time_total, event.self_cpu_time_total, event.cpu_parent, event.cpu_children) == (0, 0, None, [])
    raw, = (e for e in prof.profiler.kineto_results.events() if e.name() == "copy")
    assert (raw.device_type().value, raw.device_index(), raw.device_resource_id()) == (20, 0, STREAM)
    assert raw.correlation_id() == event.id > 0 and raw.linked_correlation_id() == by_name(prof)["inner"].id
    assert raw.activity_type() == "gpu_memcpy" and raw.duration_ns() == round(event.device_time_total * 1000)


def test_a_profile_that_stops_waits_for_work_in_flight(npu):
    npu.hold()
    with profile(activities=BOTH) as prof:
        for _ in range(3):
            npu.launch("late", 0.01)
    assert sum(event.name == "late" for event in prof.events()) == 3
    assert by_name(prof)["late"].time_range.end * 1000 <= prof.profiler._recordings.table().window.end_ns


def test_a_profile_that_was_not_asked_for_the_device_hears_nothing_of_it(npu):
    with profile(activities=[ProfilerActivity.CPU]) as prof, record_function("range"):
        assert npu.launch("kernel") == 0
    assert list(by_name(prof)) == ["range"] and prof.use_device is None
    assert npu.activity.launched(STREAM, "kernel") == 0


def test_a_profile_of_the_device_alone_shows_no_calls(npu):
    with profile(activities=[ProfilerActivity.PrivateUse1]) as prof, record_function("range"):
        torch.ones(2)
        npu.launch("kernel")
    event, = prof.events()
    assert event.name == "kernel" and event.linked_correlation_id == 0 and event.device_time_total > 0


def test_a_filter_on_the_device_takes_in_the_kinds_it_names(npu):
    with profile(activities=[ProfilerActivity.CPU, {ProfilerActivity.PrivateUse1: ["GPU_MEMCPY"]}]) as prof:
        with record_function("range"):
            npu.launch("kernel")
            npu.launch("copy", kind="memcpy", nbytes=8)
    assert [event.name for event in prof.events()] == ["range", "copy"]
    with pytest.raises(RuntimeError, match="Unknown or non-member activity type name: 'KERNEL'"):
        profile(activities=[{ProfilerActivity.PrivateUse1: ["KERNEL"]}]).start()


def test_each_of_two_profiles_hears_what_is_launched_while_it_listens(npu):
    first, second = profile(activities=BOTH), profile(activities=BOTH)
    first.start()
    npu.launch("a")
    second.start()
    npu.launch("b")
    first.stop()
    npu.launch("c")
    second.stop()
    assert sorted(by_name(first)) == ["a", "b"] and sorted(by_name(second)) == ["b", "c"]


def test_a_profile_can_be_asked_while_it_records(npu):
    with profile(activities=BOTH) as prof:
        npu.launch("first")
        npu.synchronize()
        assert list(by_name(prof)) == ["first"]
        npu.launch("second")
    assert list(by_name(prof)) == ["first", "second"]


def test_threads_launch_for_themselves(npu):
    def work(name):
        with record_function(name):
            npu.launch(f"kernel of {name}")

    with profile(activities=BOTH) as prof:
        threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    events = by_name(prof)
    for name in "ab":
        assert [kernel.name for kernel in events[name].kernels] == [f"kernel of {name}"]
        assert events[f"kernel of {name}"].thread == events[name].thread


@pytest.mark.parametrize("fails", ["synchronize", "clock_ns"])
def test_a_device_that_fails_does_not_break_the_profile(npu, fails):
    def fail():
        raise OSError("the device is gone")

    setattr(npu.activity, fails, fail)
    with pytest.warns(UserWarning, match="the device is gone"):
        with profile(activities=BOTH) as prof, record_function("range"):
            npu.launch("kernel")
            npu._queue.join()
    events = by_name(prof)
    assert [kernel.name for kernel in events["range"].kernels] == ["kernel"]
    assert events["kernel"].time_range.start >= events["range"].time_range.start


def test_launches_that_never_ran_are_told_of(npu):
    with pytest.warns(UserWarning, match="2 launches had not run"):
        with profile(activities=BOTH) as prof:
            npu.activity.launched(STREAM, "lost")
            npu.activity.launched(STREAM, "lost")
    assert list(prof.events()) == []


def test_launches_that_never_run_do_not_pile_up(npu, monkeypatch):
    monkeypatch.setattr(device_activity, "MOST_IN_FLIGHT", 10)
    with pytest.warns(UserWarning, match="10 launches had not run"):
        with profile(activities=BOTH) as prof:
            for _ in range(25):
                npu.activity.launched(STREAM, "lost")
            assert len(npu.activity._in_flight) == 10
    assert prof.dropped_events == 15 and not npu.activity._in_flight


@pytest.mark.parametrize(("overflow", "kept"), [("newest", range(20, 30)), ("first", range(10))])
def test_activities_beyond_the_limit_are_dropped_and_counted(npu, overflow, kept):
    with profile(activities=BOTH, max_events=10, overflow=overflow) as prof:
        for number in range(30):
            npu.launch(f"kernel {number}", 0)
    assert [event.name for event in prof.events()] == [f"kernel {number}" for number in kept]
    assert prof.dropped_events == 20 and "Events dropped: 20" in prof.events().table()


def test_names_of_activities_that_were_dropped_are_forgotten(npu):
    with profile(activities=BOTH, max_events=4) as prof:
        listener = prof.profiler._recordings._parts[-1].listener
        for number in range(3000):
            npu.activity.ran(npu.activity.launched(STREAM, f"kernel {number}"), number, number + 1)
        assert len(listener._names) < 1100
    assert [event.name for event in prof.events()] == [f"kernel {number}" for number in range(2996, 3000)]


def test_a_table_of_a_device_has_its_columns_and_its_footer(npu):
    prof = profiled(npu)
    lines = prof.key_averages().table(sort_by="self_device_time_total").splitlines()
    assert all(heading in lines[1] for heading in ("Self NPU", "Self NPU %", "NPU total", "NPU time avg"))
    longest = max(prof.key_averages(), key=lambda row: row.self_device_time_total)
    assert lines[3].strip().startswith(longest.key) and lines[-1].startswith("Self NPU time total: ")
    old = prof.key_averages().table(sort_by="self_cuda_time_total")
    assert old.splitlines() == lines


def test_memory_of_a_device_is_charged_to_the_event_it_was_allocated_in(npu):
    with profile(activities=BOTH, profile_memory=True) as prof:
        with record_function("outer"):
            npu.activity.allocated(1 << 20, 3000)
            with record_function("inner"):
                npu.activity.allocated(2 << 20, 500)
                npu.activity.released(1 << 20, 1000)
        npu.activity.released(2 << 20, 500)
    events = by_name(prof)
    assert (events["outer"].device_memory_usage, events["outer"].self_device_memory_usage) == (2500, 3000)
    assert (events["inner"].device_memory_usage, events["inner"].self_device_memory_usage) == (-500, -500)
    assert events["[memory]"].device_memory_usage == -500 and events["[memory]"].cpu_memory_usage == 0
    assert events["outer"].cpu_memory_usage == 0
    assert "Self NPU Mem" in prof.key_averages().table()
    raw = [(e.nbytes(), e.device_type().value) for e in prof.profiler.kineto_results.events() if e.name() == "[memory]"]
    assert raw == [(3000, 20), (500, 20), (-1000, 20), (-500, 20)]


def test_a_trace_shows_the_device_its_streams_and_arrows_from_the_launches(npu, tmp_path):
    path = tmp_path / "trace.json"
    profiled(npu).export_chrome_trace(path)
    assert validate_trace(path) == (True, [])
    events = load_events(path)
    copy, = (e for e in events if e.get("cat") == "gpu_memcpy")
    assert (copy["name"], copy["pid"], copy["tid"], copy["ph"]) == ("copy", 0, STREAM, "X")
    number, range_id = copy["args"]["correlation"], copy["args"]["External id"]
    assert copy["args"] | {"stream": STREAM, "device": 0, "bytes": 4096} == copy["args"]
    inner, = (e for e in events if e["name"] == "inner")
    assert inner["args"]["External id"] == range_id
    launch, = (e for e in events if e.get("cat") == "privateuse1_runtime" and e["args"]["correlation"] == number)
    assert inner["ts"] <= launch["ts"] <= inner["ts"] + inner["dur"] and launch["tid"] == inner["tid"]
    arrow = {e["ph"]: e for e in events if e.get("cat") == "ac2g" and e["id"] == number}
    assert arrow["s"]["ts"] == launch["ts"] and arrow["f"]["ts"] == copy["ts"] >= launch["ts"]
    assert (arrow["f"]["pid"], arrow["f"]["tid"], arrow["f"]["bp"]) == (0, STREAM, "e")
    said = {(e["name"], e["tid"]): e["args"] for e in events if e["ph"] == "M" and e["pid"] == 0}
    assert said["thread_name", STREAM] == {"name": f"stream {STREAM} "}
    assert said["process_labels", 0] == {"labels": "NPU 0"}
    assert {e["cat"] for e in events if e.get("pid") == 0 and e["ph"] == "X"} == {"kernel", "gpu_memcpy"}


def test_stacks_are_weighed_by_device_time(npu, tmp_path):
    with profile(activities=BOTH, with_stack=True) as prof, record_function("range"):
        npu.launch("kernel", 0.005)
    lines = {}
    for metric in ("self_device_time_total", "self_cuda_time_total", "self_privateuse1_time_total"):
        prof.export_stacks(tmp_path / "stacks.txt", metric)
        lines[metric] = (tmp_path / "stacks.txt").read_text()
    line, = lines["self_device_time_total"].splitlines()
    assert "test_stacks_are_weighed_by_device_time" in line and int(line.rpartition(" ")[2]) >= 5000
    assert len(set(lines.values())) == 1


def test_a_saved_profile_answers_as_the_live_one(npu, tmp_path):
    prof = profiled(npu, profile_memory=True, with_stack=True, record_shapes=True)
    prof.save(tmp_path / "saved.mtprof")
    assert answers(load(tmp_path / "saved.mtprof"), tmp_path) == answers(prof, tmp_path)


def test_combined_profiles_keep_what_their_devices_did(npu, tmp_path):
    parts = [profiled(npu), profiled(npu)]
    parts[1].save(tmp_path / "saved.mtprof")
    both = combine([parts[0], load(tmp_path / "saved.mtprof")])
    rows = {row.key: row for row in both.key_averages()}
    for name in ("inner", "copy", "nobody's"):
        expected = sum(by_name(part)[name].device_time_total for part in parts)
        assert rows[name].count == 2 and rows[name].device_time_total == pytest.approx(expected)
    numbers = both.profiler._recordings.table().device["correlation"].tolist()
    assert len(set(numbers)) == len(numbers) == 8
    both.export_chrome_trace(tmp_path / "trace.json")
    assert validate_trace(tmp_path / "trace.json") == (True, [])


def test_cycles_of_a_schedule_are_kept_apart(npu):
    seen = []
    with profile(activities=BOTH, schedule=torch.profiler.schedule(wait=1, warmup=1, active=1, repeat=2),
                 on_trace_ready=lambda prof: seen.append(list(by_name(prof)))) as prof:
        for step in range(6):
            npu.launch(f"kernel {step}", 0)
            prof.step()
    assert [[name for name in names if name.startswith("kernel")] for names in seen] == [["kernel 2"], ["kernel 5"]]


def test_work_cannot_end_before_it_began(npu):
    with pytest.warns(UserWarning, match="1 launches"), profile(activities=BOTH):
        launch = npu.activity.launched(STREAM, "kernel")
        with pytest.raises(ValueError, match="work cannot run from 5 to 4 ns"):
            npu.activity.ran(launch, 5, 4)


def test_two_devices_have_tracks_of_their_own(npu, tmp_path):
    other = QueueDevice("npu", 1, stream=3)
    try:
        with profile(activities=BOTH) as prof, record_function("range"):
            npu.launch("here")
            other.launch("there")
        prof.export_chrome_trace(tmp_path / "trace.json")
        places = {e["name"]: (e["pid"], e["tid"]) for e in load_events(tmp_path / "trace.json")
                  if e.get("cat") == "kernel"}
        assert places == {"here": (0, STREAM), "there": (1, 3)}
        assert {kernel.name: kernel.device for kernel in by_name(prof)["range"].kernels} == {"here": 0, "there": 1}
    finally:
        other.close()


def test_a_device_whose_name_nobody_asked_for_is_left_alone(npu):
    asked = []
    other = DeviceActivity("tpu", synchronize=lambda: asked.append("wait"), clock_ns=lambda: asked.append("time") or 0)
    try:
        with profile(activities=BOTH):
            assert other.launched(0, "kernel") == 0
    finally:
        other.unregister()
    assert asked == []
