"""Profiles beside and inside each other, on any thread, interrupted, asked while they run: each has its own events."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import clock, rows

from .programs import Actor, ticks
from .reading import count, names


def counted(prof) -> Counter:
    return Counter(names(prof))


def test_the_outer_profile_contains_the_inner_one_with_its_own_wishes():
    x = torch.ones(2)
    with profile(profile_memory=True) as outer:
        x + x
        with profile(record_shapes=True) as middle:
            x * x
            with profile(with_flops=True) as inner:
                torch.ones(2, 2).mm(torch.ones(2, 2))
            x * x
        x + x
    for larger, smaller in ((outer, middle), (middle, inner)):
        assert counted(larger) > counted(smaller)
    assert counted(inner)["aten::mm"] == 1 and counted(inner)["aten::mul"] == 0
    assert all(e.input_shapes == [] for e in outer.events()) and not any(e.flops for e in middle.events())
    assert {tuple(map(tuple, e.input_shapes)) for e in middle.events() if e.name == "aten::mul"} == {((2,), (2,))}
    assert next(e for e in inner.events() if e.name == "aten::mm").flops == 16


def test_a_range_open_when_a_profile_starts_is_not_its_own_but_what_is_inside_is():
    with profile() as outer:
        with record_function("around"):
            with profile() as inner:
                torch.ones(1)
                with record_function("inside"):
                    torch.ones(1)
            torch.ones(1)
    assert "around" not in names(inner) and count(inner, "aten::ones") == 2
    assert [e.cpu_parent.name for e in outer.events() if e.name == "aten::ones"] == ["around", "inside", "around"]
    assert [e.cpu_parent and e.cpu_parent.name for e in inner.events() if e.name == "aten::ones"] == [None, "inside"]


def test_a_profile_handed_from_thread_to_thread():
    actors = [Actor(f"actor {n}") for n in range(3)]
    prof = profile()
    actors[0].do(prof.start)
    for actor in actors:
        actor.do(lambda: torch.ones(1))
    found = actors[1].do(lambda: count(prof, "aten::ones"))
    actors[2].do(prof.stop)
    actors[0].do(lambda: torch.ones(1))
    for actor in actors:
        actor.end()
    assert found == count(prof, "aten::ones") == 3


def test_many_threads_that_stop_one_profile_stop_it_once():
    for _ in range(20):
        heard = []
        prof = profile(on_trace_ready=heard.append)
        prof.start()
        torch.ones(1)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: prof.stop(), range(8)))  # noqa: B023 - done before the next turn
        assert len(heard) == 1 and count(prof, "aten::ones") == 1


def test_a_profile_can_run_again_and_then_has_only_the_new_events():
    prof = profile()
    for n in (1, 2):
        with prof:
            for _ in range(n):
                torch.ones(1)
        assert count(prof, "aten::ones") == n


def test_events_asked_for_while_ops_run_on_other_threads_are_consistent():
    def work():
        for _ in range(100):
            with record_function("outer"):
                with record_function("inner"):
                    torch.ones(1)
            time.sleep(1e-4)

    workers = [threading.Thread(target=work) for _ in range(3)]
    with profile(profile_memory=True) as prof:
        for worker in workers:
            worker.start()
        seen = 0
        while any(worker.is_alive() for worker in workers):
            events = prof.events()
            assert_consistent(events)
            assert len(events) >= seen
            seen = len(events)
    assert_consistent(prof.events())
    assert counted(prof) >= Counter({"outer": 300, "inner": 300, "aten::ones": 300})


def assert_consistent(events) -> None:
    """Times run forward, parents hold their children, inner ranges stand in outer ones."""
    for event in events:
        span = event.time_range
        assert 0 <= span.start <= span.end and event.self_cpu_time_total >= 0
        if event.cpu_parent is not None:
            assert event.cpu_parent.time_range.start <= span.start and span.end <= event.cpu_parent.time_range.end
        if event.name == "inner":
            assert event.cpu_parent is not None and event.cpu_parent.name == "outer"


@pytest.mark.parametrize("ask", [lambda prof: prof.events(), lambda prof: prof.stop() or prof.events()])
def test_what_another_thread_does_while_the_end_is_being_taken_does_not_run_backwards(ask):
    """The clock is read for the end of the window, and before anything else happens another thread goes on."""
    actor, tick, armed, left = Actor(), ticks([7]), [], record_function("left")

    def goes_on():
        torch.ones(1)
        left.__enter__()

    def now():
        time_ns = tick()
        if armed and threading.current_thread() is threading.main_thread():
            armed.clear()
            actor.do(goes_on)
        return time_ns

    with clock.fake(now), profile() as prof:
        actor.do(lambda: torch.zeros(1))
        armed.append(True)
        events = list(ask(prof))
        assert not armed and "aten::zeros" in [e.name for e in events]
        assert_consistent(events)
    actor.end()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_interrupts_at_any_moment_leave_a_recorder_that_works():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    rng, x, interrupted = random.Random(0), torch.ones(2), 0
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(60):
            prof = profile()
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 6e-4))
                with prof:
                    for _ in range(60):
                        with record_function("range"):
                            x + x
                time.sleep(0.001)
            except KeyboardInterrupt:
                interrupted += 1
            if prof.profiler is not None:
                prof.stop()
                assert_consistent(prof.events())
            assert not rows.is_listening()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 30
    with profile() as prof:
        x + x
    assert names(prof) == ["aten::add"] and prof.events()[0].cpu_parent is None
