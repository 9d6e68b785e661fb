"""What a profile promises, whatever the program does: times that add up, strict nesting, files that parse."""

from __future__ import annotations

import io
import itertools
import json
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import clock

# A program opens ranges and closes any of those that are open, in any order; some stay open.
PROGRAMS = st.lists(st.one_of(st.just(("open", 0)), st.tuples(st.just("close"), st.integers(0, 5))), max_size=40)
STEPS_NS = st.lists(st.integers(0, 1500), min_size=1, max_size=20)


def run(program, steps_ns) -> profile:
    """The program under a clock that advances by the given steps, again and again."""
    times = itertools.accumulate(itertools.cycle(steps_ns), initial=10**15)
    with clock.fake(lambda: next(times)):
        prof = profile()
        prof.start()
        ranges = []
        for what, which in program:
            if what == "open":
                ranges.append(record_function(f"r{len(ranges)}"))
                ranges[-1].__enter__()
            elif ranges:
                ranges[-1 - which % len(ranges)].__exit__(None, None, None)
        prof.stop()
    return prof


@given(PROGRAMS, STEPS_NS)
def test_self_times_are_never_negative_and_add_up_to_the_roots(program, steps_ns):
    events = run(program, steps_ns).events()
    assert all(e.self_cpu_time_total >= 0 for e in events)
    roots = [(ns(e.time_range.start), ns(e.time_range.end)) for e in events if e.cpu_parent is None]
    assert sum(ns(e.self_cpu_time_total) for e in events) == covered(roots)


def ns(time_us: float) -> int:
    return round(time_us * 1000)


def covered(spans: list[tuple[int, int]]) -> int:
    """How much time lies in any of the spans, which are in order of their start."""
    total = last = 0
    for start, end in spans:
        total += max(0, end - max(start, last))
        last = max(last, end)
    return total


@given(PROGRAMS, STEPS_NS)
def test_children_lie_within_their_parents(program, steps_ns):
    for event in run(program, steps_ns).events():
        for child in event.cpu_children:
            assert event.time_range.start <= child.time_range.start <= child.time_range.end <= event.time_range.end


@given(PROGRAMS, STEPS_NS)
def test_every_range_is_shown_once_and_in_order(program, steps_ns):
    events = run(program, steps_ns).events()
    opened = [f"r{i}" for i in range(sum(what == "open" for what, _ in program))]
    assert sorted(e.name for e in events) == sorted(opened)
    starts = [e.time_range.start for e in events]
    assert starts == sorted(starts)


@given(PROGRAMS, STEPS_NS)
def test_slices_of_a_trace_nest_strictly_to_the_nanosecond(program, steps_ns):
    prof = run(program, steps_ns)
    text = io.StringIO()
    prof.export_chrome_trace(text)
    tracks = defaultdict(list)
    for event in json.loads(text.getvalue())["traceEvents"]:
        if event["ph"] == "X":
            start = round(event["ts"] * 1000)
            tracks[event["pid"], event["tid"]].append((start, start + round(event["dur"] * 1000)))
    for slices in tracks.values():
        open_ends = []
        for start, end in slices:
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            assert all(end <= other for other in open_ends[-1:])
            open_ends.append(end)


@given(PROGRAMS, STEPS_NS)
def test_averages_are_sums_over_events(program, steps_ns):
    prof = run(program, steps_ns)
    events, rows = prof.events(), prof.key_averages()
    for row in rows:
        mine = [e for e in events if e.name == row.key]
        assert row.count == len(mine)
        assert ns(row.cpu_time_total) == sum(ns(e.cpu_time_total) for e in mine)
        assert ns(row.self_cpu_time_total) == sum(ns(e.self_cpu_time_total) for e in mine)


@given(st.text(st.characters(codec=None), max_size=20), st.text(st.characters(codec=None), max_size=20))
def test_any_text_comes_back_from_a_trace(name, value):
    with profile(record_shapes=True) as prof:
        with record_function(name, value):
            pass
    prof.add_metadata(name, value)
    text = io.BytesIO()
    prof.export_chrome_trace(text)
    trace = json.loads(text.getvalue())
    assert name in [e["name"] for e in trace["traceEvents"]]
    assert name in trace
