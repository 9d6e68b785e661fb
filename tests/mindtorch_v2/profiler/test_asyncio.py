"""Coroutines that hold ranges across awaits: ranges overlap, Python's calls nest, stacks and times are right."""

from __future__ import annotations

import asyncio
import json

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

TASKS, WAIT_S, ROUNDS = 3, 0.004, 2


async def work(number: int) -> None:
    with record_function(f"task{number}"):
        for _ in range(ROUNDS):
            torch.ones(4)
            await asyncio.sleep(WAIT_S * (number + 1))
            torch.zeros(2)


async def gathered() -> None:
    await asyncio.gather(*(work(number) for number in range(TASKS)))


async def in_turn() -> None:
    for number in range(TASKS):
        await work(number)


def profiled(program, **options) -> profile:
    with profile(**options) as prof:
        asyncio.run(program())
    return prof


def trace(prof, folder) -> list[dict]:
    prof.export_chrome_trace(str(folder / "trace.json"))
    return json.loads((folder / "trace.json").read_text())["traceEvents"]


def slices_that_overlap(events: list[dict]) -> list[tuple[str, str]]:
    """Slices of one thread that overlap without one lying in the other."""
    found, still_open = [], []
    slices = [(round(event["ts"] * 1000), round(event["ts"] * 1000) + round(event["dur"] * 1000), event["name"])
              for event in events if event["ph"] == "X" and event["cat"] != "Trace"]
    for start_ns, end_ns, name in sorted(slices, key=lambda one: (one[0], -one[1])):
        while still_open and still_open[-1][0] <= start_ns:
            still_open.pop()
        if still_open and still_open[-1][0] < end_ns:
            found.append((still_open[-1][1], name))
        still_open.append((end_ns, name))
    return found


@pytest.mark.parametrize("with_stack", [False, True])
def test_only_ranges_leave_the_thread_s_track(with_stack, tmp_path):
    events = trace(profiled(gathered, with_stack=with_stack), tmp_path)
    begun = [event["name"] for event in events if event["ph"] == "b"]
    assert begun and set(begun) <= {f"task{number}" for number in range(TASKS)}
    assert slices_that_overlap(events) == []


@pytest.mark.parametrize("with_stack", [False, True])
def test_ranges_that_come_one_after_the_other_overlap_nothing(with_stack, tmp_path):
    events = trace(profiled(in_turn, with_stack=with_stack), tmp_path)
    begun = [event["name"] for event in events if event["ph"] == "b"]
    assert set(begun) <= ({f"task{number}" for number in range(TASKS)} if with_stack else set())
    assert slices_that_overlap(events) == []


@pytest.mark.parametrize("with_stack", [False, True])
@pytest.mark.parametrize("program", [gathered, in_turn])
def test_tasks_last_as_long_as_they_wait_and_no_instant_counts_twice(program, with_stack):
    prof = profiled(program, with_stack=with_stack, threads="current")
    averages = {average.key: average for average in prof.key_averages()}
    for number in range(TASKS):
        task = averages[f"task{number}"]
        assert task.count == 1 and task.cpu_time_total >= ROUNDS * WAIT_S * (number + 1) * 1e6
        assert 0 <= task.self_cpu_time_total <= task.cpu_time_total
    window = prof.profiler._recordings.table().window
    assert sum(average.self_cpu_time_total for average in averages.values()) <= (window.end_ns - window.start_ns) / 1000


def test_with_stacks_the_sleep_is_that_of_the_loop():
    averages = profiled(gathered, with_stack=True).key_averages()
    tasks = [average for average in averages if average.key.startswith("task")]
    loop = [average for average in averages if "poll" in average.key]
    assert sum(task.self_cpu_time_total for task in tasks) < sum(row.self_cpu_time_total for row in loop)


@pytest.mark.parametrize("program", [gathered, in_turn])
def test_a_stack_holds_only_calls_that_go_on(program):
    prof = profiled(program, with_stack=True)
    ops = [event for event in prof.events() if event.name in ("aten::ones", "aten::zeros")]
    assert len(ops) == 2 * TASKS * ROUNDS
    for op in ops:
        assert len([frame for frame in op.stack if frame.endswith(": work")]) == 1
        assert len([frame for frame in op.stack if frame.endswith(": _run_once")]) == 1
    raw = [event.stack() for event in prof.profiler.kineto_results.events() if event.name() == "aten::ones"]
    assert sorted(raw) == sorted(op.stack for op in ops if op.name == "aten::ones")


@pytest.mark.parametrize("program", [gathered, in_turn])
def test_a_python_call_s_parent_has_not_ended(program, tmp_path):
    calls = {event["args"]["Python id"]: event for event in trace(profiled(program, with_stack=True), tmp_path)
             if event.get("cat") == "python_function"}
    for call in calls.values():
        parent = calls.get(call["args"]["Python parent id"])
        assert parent is None or parent["ts"] <= call["ts"] <= parent["ts"] + parent["dur"]


def test_a_generator_that_holds_a_range_leaves_python_s_calls_on_their_track(tmp_path):
    def numbers():
        with record_function("held"):
            yield torch.ones(1)
            yield torch.ones(2)

    def first(of):
        return next(of)

    with profile(with_stack=True) as prof:
        generator = numbers()
        first(generator)
        first(generator)
        list(generator)
    events = trace(prof, tmp_path)
    assert [event["name"] for event in events if event["ph"] == "b"] == ["held"]
    assert slices_that_overlap(events) == []
