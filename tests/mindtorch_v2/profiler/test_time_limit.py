"""Results within a time limit: some events, all of them whole."""

from __future__ import annotations

import io
import json
import logging

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import profiler as autograd_profiler
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.profiler.results import time_limit
from mindtorch_v2.record import clock

N_STEPS = 40


class SlowClock:
    """Every look at it takes a microsecond."""

    def __init__(self):
        self.time_ns = 1_000_000

    def __call__(self) -> int:
        self.time_ns += 1000
        return self.time_ns


def some_steps() -> None:
    for _ in range(N_STEPS):
        with record_function("step"):
            torch.ones(3) + 1


@pytest.fixture
def limited(monkeypatch):
    """A profile that has time for ten events and for twenty, but not for all."""
    monkeypatch.setattr(time_limit, "FIRST_EVENTS", 10)
    with clock.fake(SlowClock()), profile(post_processing_timeout_s=2.5e-6, profile_memory=True) as prof:
        some_steps()
    return prof


def test_the_events_that_began_first_are_kept(limited, caplog):
    with clock.fake(SlowClock()), caplog.at_level(logging.WARNING, "torch.autograd.profiler"):
        events = list(limited.events())
    calls = [event for event in events if event.name != "[memory]"]
    assert len(calls) == 20 and f"partial results with {len(events)} events" in caplog.text
    assert [event.name for event in calls[:4]] == ["step", "aten::ones", "aten::empty", "aten::fill_"]


def test_what_is_kept_is_consistent(limited):
    with clock.fake(SlowClock()):
        events, averages = list(limited.events()), limited.key_averages()
    assert sum(row.count for row in averages) == len(events)
    known = {event.id for event in events}
    assert all(child.id in known for event in events for child in event.cpu_children)
    assert all(event.self_cpu_time_total >= 0 for event in events)


def test_the_trace_is_whole(limited):
    file = io.StringIO()
    limited.export_chrome_trace(file)
    names = [event["name"] for event in json.loads(file.getvalue())["traceEvents"]]
    assert names.count("step") == N_STEPS


def test_enough_time_keeps_everything():
    with profile(post_processing_timeout_s=3600) as prof:
        some_steps()
    with profile() as whole:
        some_steps()
    assert [event.name for event in prof.events()] == [event.name for event in whole.events()]


def test_raw_results_are_read_within_a_limit():
    with autograd_profiler.profile(use_kineto=True) as prof:
        some_steps()
    assert len(prof._parse_kineto_results(prof.kineto_results)) == len(prof.function_events)
    assert prof._parse_kineto_results(prof.kineto_results, timeout_s=0.0) == []
    with pytest.raises(ValueError, match="timeout_s must be non-negative"):
        prof._parse_kineto_results(prof.kineto_results, timeout_s=-60.0)


def test_statistics_count_events_once_they_were_asked_for():
    with profile() as prof:
        some_steps()
    stats = prof._stats()
    assert (stats.number_of_events, stats.function_events_build_tree_call_duration_us) == (0, 0)
    events = prof.events()
    assert stats.number_of_events == len(events) and stats.function_events_build_tree_call_duration_us > 0
