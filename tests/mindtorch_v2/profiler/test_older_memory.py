"""Memory that was there before the profile: the trace shows its release, events and averages do not, as torch's."""

from __future__ import annotations

import json
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import rows

OLD_BYTES, MEMORY = 20000, "[memory]"


def outside(old: list) -> None:
    torch.ones(64)
    old.clear()


def inside_ranges(old: list) -> None:
    with record_function("outer"):
        with record_function("inner"):
            old.clear()
        torch.ones(64)


def inside_an_op(old: list) -> None:
    old[0].resize_(9000)


def under_autograd(old: list) -> None:
    product = (old[0].requires_grad_() * 2).exp().sum()
    old.clear()
    product.backward()


def on_a_thread(old: list) -> None:
    thread = threading.Thread(target=old.clear)
    thread.start()
    thread.join()
    torch.ones(64)


def profiled(program, **options) -> profile:
    old = [torch.ones(OLD_BYTES // 4)]
    with profile(profile_memory=True, **options) as prof:
        program(old)
    return prof


def changes(prof, folder) -> list[dict]:
    prof.export_chrome_trace(str(folder / "trace.json"))
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    return [event["args"] for event in events if event["name"] == MEMORY]


@pytest.mark.parametrize("with_stack", [False, True])
@pytest.mark.parametrize("program", [outside, inside_ranges, inside_an_op, under_autograd, on_a_thread])
def test_events_and_averages_add_up_to_the_trace_less_older_memory(program, with_stack, tmp_path):
    prof = profiled(program, with_stack=with_stack)
    newer = sum(change["Bytes"] for change in changes(prof, tmp_path)) + OLD_BYTES
    assert sum(event.self_cpu_memory_usage for event in prof.events()) == newer
    assert sum(event.cpu_memory_usage for event in prof.events() if event.cpu_parent is None) == newer
    for by_shape in (False, True):
        averages = prof.key_averages(group_by_input_shape=by_shape)
        assert sum(average.self_cpu_memory_usage for average in averages) == newer


@pytest.mark.parametrize("program", [outside, inside_ranges, inside_an_op, on_a_thread])
def test_no_event_shows_an_older_release(program):
    assert [event.name for event in profiled(program).events() if event.cpu_memory_usage == -OLD_BYTES] == []


def test_an_op_that_replaces_older_memory_shows_what_it_allocates_as_torchs_does():
    averages = {average.key: average for average in profiled(inside_an_op).key_averages()}
    assert averages["aten::resize_"].self_cpu_memory_usage == 9000 * 4
    assert MEMORY not in averages


def test_newer_memory_is_charged_to_the_range_that_releases_it():
    with profile(profile_memory=True) as prof:
        new = [torch.ones(64)]
        with record_function("release"):
            new.clear()
    averages = {average.key: average for average in prof.key_averages()}
    assert averages["release"].self_cpu_memory_usage == -256 and MEMORY not in averages


@pytest.mark.parametrize("program", [outside, inside_ranges, inside_an_op, under_autograd, on_a_thread])
def test_the_running_total_of_a_trace_is_the_bytes_alive(program, tmp_path):
    before = rows.allocated_bytes() + OLD_BYTES
    prof = profiled(program)
    alive = rows.allocated_bytes()
    in_trace = changes(prof, tmp_path)
    for change in in_trace:
        before += change["Bytes"]
        assert change["Total Allocated"] == before
    assert before == alive or program is inside_an_op  # the resized tensor dies after the profile
