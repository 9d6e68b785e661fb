"""Recursion far deeper than Python's own limit: every answer comes in seconds, in memory in line with the events."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import threading
import time

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile

DEEP, STACK_BYTES, LIMIT = 30_000, 512 * 2**20, 100_000
SECONDS, MOST_BYTES = 20, 100 * 2**20


def even(depth: int, calls: int) -> None:
    if depth:
        odd(depth - 1, calls)
    else:
        for _ in range(calls):
            torch.ones(1)


def odd(depth: int, calls: int) -> None:  # one function that calls itself would be shown as one row
    if depth:
        even(depth - 1, calls)
    else:
        torch.ones(1)


def recursion(depth: int, times: int = 1) -> profile:
    """A profile of a thread that calls itself that deep."""
    def run() -> None:
        with prof:
            for _ in range(times):
                even(depth, 1)

    prof = profile(with_stack=True)
    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(LIMIT)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return prof


@pytest.fixture(scope="module")
def deep() -> profile:
    return recursion(DEEP)


def call_stacks(prof, path) -> list[list[str]]:
    prof.export_chrome_trace(str(path))
    events = json.loads(path.read_text())["traceEvents"]
    return [event["args"]["Call stack"].split(";")[:-1] for event in events if "Call stack" in event.get("args", {})]


def test_twenty_calls_of_900_frames_make_a_small_trace(tmp_path):
    prof = recursion(900, times=20)
    stacks = call_stacks(prof, tmp_path / "trace.json")
    assert (tmp_path / "trace.json").stat().st_size < 60_000_000
    assert max(map(len, stacks)) == 100


def test_a_stack_that_is_not_deep_stands_whole_in_a_trace(tmp_path):
    assert not any("more frames" in frame for stack in call_stacks(recursion(90), tmp_path / "trace.json")
                   for frame in stack)


def test_a_deep_stack_shows_its_innermost_frames_and_how_many_there_are_besides(tmp_path):
    prof = recursion(500)
    stacks = call_stacks(prof, tmp_path / "trace.json")
    op = next(event for event in prof.events() if event.name == "aten::ones")
    assert stacks[-1] == [*op.stack[:32], f"... {len(op.stack) - 32} more frames"]


def test_all_answers_come_in_time(deep, tmp_path):
    start = time.monotonic()
    deep.export_chrome_trace(str(tmp_path / "trace.json"))
    deep.export_stacks(str(tmp_path / "stacks.txt"))
    assert (tmp_path / "trace.json").stat().st_size < MOST_BYTES
    assert (tmp_path / "stacks.txt").stat().st_size < MOST_BYTES
    events = deep.events()
    assert len(events) > DEEP and str(events[-1]) and events == deep.events() and events[0] != events[-1]
    for by_stack in (0, 1, 5, 1000, DEEP, 10 * DEEP):
        averages = deep.key_averages(group_by_stack_n=by_stack)
        assert len(averages.table(sort_by="self_cpu_time_total")) < MOST_BYTES
    assert len(events.table(sort_by="self_cpu_time_total")) < MOST_BYTES
    assert deep.profiler.kineto_results.events()[-1].stack()
    assert time.monotonic() - start < SECONDS


def test_a_list_that_the_user_has_changed_answers_in_time_too(deep):
    start, events = time.monotonic(), copy.copy(deep.events())
    events.sort(key=lambda event: event.cpu_time_total)
    assert len(events.key_averages()) > 2 and len(events.table()) < MOST_BYTES
    assert pickle.loads(pickle.dumps(events))[-1].name == events[-1].name
    assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize("by_stack", [1, 2, 7, 64, 100])
def test_groups_by_stack_are_those_of_the_frames_written_out(by_stack):
    prof = recursion(70, times=2)
    groups: dict[tuple, int] = {}
    for event in prof.events():
        key = event.name, tuple(event.stack[:by_stack])
        groups[key] = groups.get(key, 0) + 1
    averages = prof.key_averages(group_by_stack_n=by_stack)
    assert {(average.key, tuple(average.stack)): average.count for average in averages} == groups


@pytest.mark.parametrize("again", [lambda given: pickle.loads(pickle.dumps(given)), copy.copy, copy.deepcopy],
                         ids=["pickle", "copy", "deepcopy"])
def test_pickle_and_copies_work_at_any_depth(deep, again):
    events = deep.events()
    same = again(events)
    assert [event.name for event in same] == [event.name for event in events]
    assert same[-1].stack == events[-1].stack and same[-1].cpu_parent is same[events.index(events[-1].cpu_parent)]
    one = again(events[-1])
    assert one is not events[-1] and one.name == events[-1].name and len(one.stack) == len(events[-1].stack)
    averages = deep.key_averages(group_by_stack_n=DEEP)
    assert [average.count for average in again(averages)] == [average.count for average in averages]
    assert again(averages[-1]).stack == averages[-1].stack
    assert len(again(deep).events()) == len(events)
    roots = again(deep.profiler.kineto_results.experimental_event_tree())
    assert roots[0].name == deep.profiler.kineto_results.experimental_event_tree()[0].name
