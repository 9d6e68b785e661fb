"""Times add up, whatever the program does: property tests over random programs (programs.py), real clock and fake."""

from __future__ import annotations

import asyncio
import io
import json
import os
import threading
import time
from collections import defaultdict
from decimal import Decimal

import pytest
from hypothesis import given, settings

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

from .programs import LATER, PROGRAMS, STEPS_NS, played, played_under_ticks


def played_in_real_time(program, _):
    return played(program, time.monotonic_ns)


def over_programs(test):
    """Run the test over random programs, under a clock that advances as it likes and under the real one."""
    test = settings(max_examples=80)(given(program=PROGRAMS, steps_ns=STEPS_NS)(test))
    return pytest.mark.parametrize("play", [played_under_ticks, played_in_real_time])(test)


def ns(time_us: float) -> int:
    return round(time_us * 1000)


@over_programs
def test_self_times_are_never_negative_and_add_up_to_the_roots_of_their_thread(play, program, steps_ns):
    for one in play(program, steps_ns).profiles:
        threads = defaultdict(list)
        for event in one.prof.events():
            assert event.self_cpu_time_total >= 0 and event.cpu_time_total >= 0
            threads[event.thread].append(event)
        for events in threads.values():
            roots = [(ns(e.time_range.start), ns(e.time_range.end)) for e in events if e.cpu_parent is None]
            assert sum(ns(e.self_cpu_time_total) for e in events) == covered(roots)


def covered(spans: list[tuple[int, int]]) -> int:
    """How much time lies in any of the spans, which are in order of their start."""
    total, last = 0, -LATER
    for start, end in spans:
        total += max(0, end - max(start, last))
        last = max(last, end)
    return total


@over_programs
def test_children_lie_within_their_parents_on_the_same_thread(play, program, steps_ns):
    for one in play(program, steps_ns).profiles:
        for event in one.prof.events():
            for child in event.cpu_children:
                assert child.thread == event.thread
                assert event.time_range.start <= child.time_range.start <= child.time_range.end <= event.time_range.end


@over_programs
def test_every_profile_shows_each_range_once_with_its_times(play, program, steps_ns):
    played_out = play(program, steps_ns)
    for one in played_out.profiles:
        began, ended = one.started, one.stopped
        wanted = [r for r in played_out.ranges if began.place < r.opened.place < ended.place]
        shown = [e for e in one.prof.events() if e.is_user_annotation]
        events = {e.name: e for e in shown}
        assert sorted(e.name for e in shown) == sorted(r.name for r in wanted)
        assert [e.time_range.start for e in shown] == sorted(e.time_range.start for e in shown)
        zero = one.prof.profiler._recordings.table().window.start_ns
        for wish in wanted:
            event = events[wish.name]
            start, end = zero + ns(event.time_range.start), zero + ns(event.time_range.end)
            closed = wish.closed if wish.closed and wish.closed.place < ended.place else ended
            assert wish.opened.after_ns <= start <= wish.opened.before_ns
            assert closed.after_ns <= end <= closed.before_ns
        added = [m for m in played_out.additions if began.place < m.place < ended.place]
        assert sum(e.name == "aten::add" for e in one.prof.events()) == len(added)


@over_programs
def test_slices_of_a_trace_nest_strictly_to_the_nanosecond(play, program, steps_ns):
    for one in play(program, steps_ns).profiles:
        trace = trace_of(one.prof)
        first, last = trace[-2]["ts"], trace[-1]["ts"]
        tracks = slices_of_tracks(trace)
        for slices in tracks.values():
            assert_nested(slices)
            assert all(first <= start <= end <= last for start, end in slices)
        # What cannot nest has a track of its own, as a pair of begin and end.
        begun = {e["id2"]["local"]: e["ts"] for e in trace if e["ph"] == "b"}
        ended = {e["id2"]["local"]: e["ts"] for e in trace if e["ph"] == "e"}
        assert begun.keys() == ended.keys() and all(first <= begun[i] <= ended[i] <= last for i in begun)
        shown = sum(map(len, tracks.values())) - 1 + len(begun)  # all but the span of the profile itself
        assert shown == len(one.prof.profiler._recordings.table())


def trace_of(prof) -> list[dict]:
    """The events of a trace; times are exact."""
    text = io.StringIO()
    prof.export_chrome_trace(text)
    return json.loads(text.getvalue(), parse_float=Decimal)["traceEvents"]


def slices_of_tracks(trace: list[dict]) -> dict[tuple, list[tuple]]:
    """Start and end of all slices, by process and thread, in the order of the file."""
    tracks = defaultdict(list)
    for event in trace:
        assert event["ts"] * 1000 % 1 == 0
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    return tracks


def assert_nested(slices: list[tuple]) -> None:
    """Slices in the order of the file: each lies in the one that is open, or begins after it."""
    assert [start for start, _ in slices] == sorted(start for start, _ in slices)
    open_ends = []
    for start, end in slices:
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert all(end <= other for other in open_ends[-1:])
        open_ends.append(end)


@over_programs
def test_only_what_was_left_open_is_unfinished(play, program, steps_ns):
    played_out = play(program, steps_ns)
    for one in played_out.profiles:
        unfinished = {e["name"] for e in trace_of(one.prof) if e.get("args", {}).get("finished") is False}
        assert unfinished == {r.name for r in played_out.ranges
                              if one.started.place < r.opened.place < one.stopped.place
                              and (r.closed is None or r.closed.place > one.stopped.place)}


@over_programs
def test_averages_are_sums_over_events(play, program, steps_ns):
    for one in play(program, steps_ns).profiles:
        sums = defaultdict(lambda: [0, 0, 0])
        for event in one.prof.events():
            times = 1, ns(event.cpu_time_total), ns(event.self_cpu_time_total)
            sums[event.name] = [a + b for a, b in zip(sums[event.name], times)]
        assert {row.key: [row.count, ns(row.cpu_time_total), ns(row.self_cpu_time_total)]
                for row in one.prof.key_averages()} == sums


def test_ranges_of_concurrent_coroutines_add_up_too():
    async def task(name):
        with record_function(name):
            for _ in range(3):
                await asyncio.sleep(0)
                torch.ones(1)

    @record_function("decorated")
    async def decorated():
        await asyncio.gather(*(task(f"task {n}") for n in range(4)))

    with profile() as prof:
        asyncio.run(decorated())
    events = prof.events()
    assert [e.name for e in events if e.is_user_annotation] == ["decorated", "task 0", "task 1", "task 2", "task 3"]
    assert all(e.self_cpu_time_total >= 0 for e in events)
    roots = [(ns(e.time_range.start), ns(e.time_range.end)) for e in events if e.cpu_parent is None]
    assert sum(ns(e.self_cpu_time_total) for e in events) == covered(roots)
    assert_nested(slices_of_tracks(trace_of(prof))[os.getpid(), threading.get_native_id()])
