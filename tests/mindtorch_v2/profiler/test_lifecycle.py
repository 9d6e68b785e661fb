"""Start, steps, stop: one after the other, inside each other, on any thread."""

from __future__ import annotations

import json
import os
import random
import threading
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function, schedule

from .reading import count, cycle, row_of, some_ops


@pytest.mark.parametrize(("arguments", "kept", "accumulated"), [
    ({"warmup": 0, "active": 5, "repeat": 0}, 0, 100), ({"warmup": 10, "active": 10, "repeat": 0}, 10, 50),
    ({"warmup": 1, "active": 5, "repeat": 0}, 3, 83), ({"warmup": 10, "active": 10, "repeat": 4}, 10, 40),
    ({"warmup": 50, "active": 1, "repeat": 0}, 1, 1)])
def test_without_acc_events_only_the_latest_cycle_is_kept(arguments, kept, accumulated):
    for acc_events, expected in ((False, kept), (True, accumulated)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = torch.ones(1)
            with profile(schedule=cycle(wait=0, **arguments), acc_events=acc_events) as prof:
                for _ in range(100):
                    x + x
                    prof.step()
        assert count(prof, "aten::add") == expected


def test_steps_are_numbered_in_the_trace_and_one_row_in_the_table(tmp_path):
    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1)) as prof:
        for _ in range(4):
            torch.ones(1)
            prof.step()
    assert [e.name for e in prof.events() if e.cpu_parent is None] == ["ProfilerStep*", "ProfilerStep*"]
    assert row_of(prof.key_averages(), "ProfilerStep*").count == 2
    prof.export_chrome_trace(tmp_path / "t.json")
    trace = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    steps = [e for e in trace if e["name"].startswith("ProfilerStep")]
    assert [e["name"] for e in steps] == ["ProfilerStep#2", "ProfilerStep#3"]
    assert {e["cat"] for e in steps} == {"user_annotation"}


def test_on_trace_ready_fires_when_a_cycle_is_left():
    heard = []
    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=2),
                 on_trace_ready=lambda p: heard.append((p.step_num, count(p, "aten::ones")))) as prof:
        for _ in range(10):
            torch.ones(1)
            prof.step()
    assert heard == [(4, 2), (8, 2)]


def test_on_trace_ready_fires_at_exit_while_recording_only():
    heard = []
    with profile(on_trace_ready=heard.append):
        torch.ones(1)
    assert len(heard) == 1
    with pytest.warns(UserWarning, match="step\\(\\) was never called"):
        with profile(schedule=schedule(wait=1, warmup=1, active=1), on_trace_ready=heard.append):
            torch.ones(1)
    assert len(heard) == 1


def test_step_without_schedule_adds_no_step_events():
    with profile() as prof:
        torch.ones(1)
        prof.step()
        torch.ones(1)
    assert prof.step_num == 1 and count(prof, "aten::ones") == 2 and count(prof, "ProfilerStep*") == 0


@pytest.mark.parametrize(("call", "doing"), [
    (lambda p: p.events(), "accessing events"), (lambda p: p.key_averages(), "getting key averages"),
    (lambda p: p.export_chrome_trace("x"), "exporting chrome trace"),
    (lambda p: p.export_stacks("x"), "exporting stacks"), (lambda p: p.stop(), "stopping trace")])
def test_use_before_start_is_refused(call, doing):
    with pytest.raises(AssertionError, match=f"Profiler must be initialized before {doing}"):
        call(profile())


def test_stop_twice_is_harmless_and_fires_once():
    heard = []
    prof = profile(on_trace_ready=heard.append)
    prof.start()
    torch.ones(1)
    prof.stop()
    prof.stop()
    assert len(heard) == 1 and count(prof, "aten::ones") == 1


def test_an_exception_in_the_block_goes_on_and_the_events_stay():
    with pytest.raises(KeyboardInterrupt):
        with profile() as prof:
            torch.ones(1)
            raise KeyboardInterrupt
    assert count(prof, "aten::ones") == 1


def test_nested_profiles_each_have_their_own_events():
    with profile() as outer:
        torch.ones(1)
        with profile(record_shapes=True) as inner:
            torch.zeros(1)
        torch.ones(1)
    assert count(inner, "aten::zeros") == 1 and count(inner, "aten::ones") == 0
    assert count(outer, "aten::zeros") == 1 and count(outer, "aten::ones") == 2
    assert all(e.input_shapes == [] for e in outer.events())


def test_profiles_on_several_threads_do_not_disturb_each_other():
    found = {}

    def work(key):
        with profile() as prof:
            for _ in range(key):
                with record_function(f"mine {key}"):
                    torch.ones(1)
        found[key] = prof

    threads = [threading.Thread(target=work, args=(n,)) for n in (3, 5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {key: count(prof, f"mine {key}") for key, prof in found.items()} == {3: 3, 5: 5, 7: 7}


def test_ops_of_all_threads_are_recorded():
    with profile() as prof:
        worker = threading.Thread(target=lambda: torch.zeros(1))
        worker.start()
        worker.join()
        torch.ones(1)
    by_name = {e.name: e.thread for e in prof.events()}
    assert by_name["aten::zeros"] != by_name["aten::ones"]
    assert next(e for e in prof.events() if e.name == "aten::zeros").cpu_parent is None


def test_start_and_stop_on_different_threads():
    prof = profile()
    prof.start()
    torch.ones(1)
    stopper = threading.Thread(target=prof.stop)
    stopper.start()
    stopper.join()
    torch.ones(1)
    assert count(prof, "aten::ones") == 1


def test_ids_are_unique_over_sessions():
    seen = set()
    for _ in range(3):
        with profile() as prof:
            some_ops()
        ids = {e.id for e in prof.events()}
        assert len(ids) == len(prof.events()) and not ids & seen
        seen |= ids


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_end_the_profile_it_inherited():
    with profile() as prof:
        torch.ones(1)
        child = os.fork()
        if child == 0:
            prof.stop()
            os._exit(len(prof.events()))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        torch.ones(1)
    assert count(prof, "aten::ones") == 2


def test_many_threads_starting_and_stopping_at_random():
    failures = []

    def work(seed):
        rng = random.Random(seed)
        profs = []
        try:
            for _ in range(60):
                if profs and rng.random() < 0.5:
                    prof, expected = profs.pop(rng.randrange(len(profs)))
                    prof.stop()
                    assert count(prof, f"range {seed}") == expected[0]
                else:
                    profs.append((profile(), [0]))
                    profs[-1][0].start()
                with record_function(f"range {seed}"):
                    torch.ones(1)
                for _, expected in profs:
                    expected[0] += 1
            for prof, _ in profs:
                prof.stop()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
