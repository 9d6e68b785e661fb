"""Facts 1 to 14 of how torch's profiler goes through its steps, as far as no other test holds them."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import KinetoStepTracker, ProfilerAction, profile, schedule
from mindtorch_v2.profiler.session import warn_once

from .reading import count, cycle

NONE, WARMUP, RECORD, SAVE, STOPPED = ProfilerAction


def test_fact_6_cleared_events_are_mentioned_once_per_process(monkeypatch):
    monkeypatch.setattr(warn_once, "_WARNINGS_SHOWN", set())
    with pytest.warns(UserWarning, match="Profiler clears events at the end of each cycle") as caught:
        for _ in range(2):
            with profile(schedule=cycle(wait=0, warmup=0, active=1, repeat=3)) as prof:
                for _ in range(4):
                    torch.ones(1)
                    prof.step()
    assert len(caught) == 1


def test_fact_8_after_exit_in_wait_there_is_no_profile():
    with pytest.warns(UserWarning, match="nothing was recorded"):
        with profile(schedule=schedule(wait=3, warmup=1, active=1)) as prof:
            prof.step()
    assert prof.profiler is None
    with pytest.raises(AssertionError, match="Profiler must be initialized before accessing events"):
        prof.events()


@pytest.mark.parametrize(("plan", "said"), [
    ([WARMUP, NONE], "WARMUP followed by NONE"), ([RECORD, NONE], "RECORD followed by NONE"),
    ([RECORD, WARMUP], "RECORD followed by WARMUP")])
def test_fact_11_a_schedule_of_one_s_own_that_jumps_is_named(plan, said):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with profile(schedule=lambda step: plan[step]) as prof:
            prof.step()
    assert f"Incorrect schedule: {said}" in [str(w.message) for w in caught]


def test_fact_13_without_a_device_no_step_is_ever_stopped_by_it():
    seen = []
    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1)) as prof:
        for _ in range(6):
            seen.append(prof.current_action)
            prof.step()
    assert seen == [NONE, WARMUP, RECORD, SAVE, NONE, NONE]
    with pytest.raises(RuntimeError, match="Profiler internal error: NONE -> DEVICE_STOPPED should be unreachable"):
        prof._transit_action(NONE, STOPPED)
    with pytest.raises(RuntimeError, match="RECORD_AND_SAVE -> DEVICE_STOPPED should be unreachable"):
        prof._transit_action(SAVE, STOPPED)


@pytest.mark.parametrize("before", [WARMUP, RECORD])
def test_fact_13_a_device_that_stops_hands_the_trace_over_once(before):
    heard = []
    prof = profile(schedule=lambda step: before, on_trace_ready=heard.append)
    prof.start()
    prof._transit_action(before, STOPPED)
    prof._transit_action(STOPPED, STOPPED)
    prof.current_action = STOPPED
    prof.stop()
    assert heard == [prof]


def test_fact_13_start_after_stop_goes_on_counting():
    prof = profile(schedule=cycle(wait=0, warmup=0, active=2, repeat=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prof.start()
        prof.step()
        prof.stop()
        assert prof.step_num == 1
        prof.start()
        torch.ones(1)
        prof.stop()
    assert prof.step_num == 1 and count(prof, "aten::ones") == 1
    assert [e.trace_name for e in prof.events() if e.name == "ProfilerStep*"] == ["ProfilerStep#1"]


@pytest.fixture
def nobody_counts(monkeypatch):
    monkeypatch.setattr(KinetoStepTracker, "_current_step", 0)
    monkeypatch.setattr(KinetoStepTracker, "_step_dict", type(KinetoStepTracker._step_dict)(int))


def test_fact_14_steps_are_the_most_that_anybody_took(nobody_counts):
    counted = [KinetoStepTracker.increment_step(who) for who in "aab"]
    assert counted == [1, 2, 3]  # who comes late begins at the current step
    assert KinetoStepTracker.increment_step("a") == 3 and KinetoStepTracker.current_step() == 3
    assert KinetoStepTracker.erase_step_count("a") and not KinetoStepTracker.erase_step_count("a")
    KinetoStepTracker._step_dict["far ahead"] = 7
    with pytest.warns(UserWarning, match="Profiler step count has increased more than 1 - current_step = 3 step dict"):
        assert KinetoStepTracker.increment_step("far ahead") == 8


def test_fact_14_the_profiler_counts_for_a_daemon_alone(nobody_counts, monkeypatch):
    monkeypatch.delenv("KINETO_USE_DAEMON", raising=False)
    with profile() as prof:
        prof.step()
        assert KinetoStepTracker._step_dict == {"ProfilerStep": 0}
        monkeypatch.setenv("KINETO_USE_DAEMON", "1")
        prof.step()
        assert KinetoStepTracker.current_step() == 1
    assert KinetoStepTracker._step_dict == {}


def test_fact_14_optimizers_count_if_the_daemon_is_there_at_import():
    program = ("import mindtorch_v2 as torch; from mindtorch_v2.profiler import KinetoStepTracker as K\n"
               "p = torch.nn.Parameter(torch.ones(1)); o = torch.optim.SGD([p], 0.1); p.grad = torch.ones(1)\n"
               "o.step(); o.step(); print(dict(K._step_dict), K.current_step())")
    for daemon, said in (("1", "{'Optimizer': 2} 2"), ("", "{} 0")):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env=os.environ | {"KINETO_USE_DAEMON": daemon})
        assert done.stdout.strip() == said, done.stderr
