"""Activities and schedules, and what is said about wrong ones."""

from __future__ import annotations

import json

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    supported_activities,
)

from .reading import count, cycle, names

CPU = ProfilerActivity.CPU


@pytest.mark.parametrize("activities", [[], ["CPU"]])
def test_no_valid_activities(activities):
    with pytest.raises(AssertionError, match="No valid profiler activities found"):
        profile(activities=activities)


def test_activity_given_twice():
    with pytest.raises(ValueError, match="Activity ProfilerActivity.CPU specified more than once"):
        profile(activities=[CPU, CPU])


def test_unknown_kind_of_activity_is_refused_at_start():
    prof = profile(activities=[{CPU: ["NOPE"]}])
    with pytest.raises(RuntimeError, match="Unknown or non-member activity type name: 'NOPE'"):
        prof.start()


def test_filter_holds_for_the_trace_alone(tmp_path):
    with profile(activities=[{CPU: ["USER_ANNOTATION"]}]) as prof:
        with record_function("mine"):
            torch.ones(1)
    prof.export_chrome_trace(tmp_path / "t.json")
    shown = {e.get("cat") for e in json.loads((tmp_path / "t.json").read_text())["traceEvents"]}
    assert shown == {None, "Trace", "user_annotation"} and "aten::ones" in names(prof)


def test_missing_devices_warn_and_leave_the_processor():
    assert supported_activities() == {CPU}
    with pytest.warns(UserWarning, match="CUDA is not available, disabling CUDA profiling"):
        with profile(activities=[CPU, ProfilerActivity.CUDA]) as prof:
            torch.ones(1)
    assert count(prof, "aten::ones") == 1
    with pytest.warns(UserWarning), pytest.raises(AssertionError, match="No activities specified for the profiler"):
        profile(activities=[ProfilerActivity.CUDA]).start()
    with pytest.warns(FutureWarning, match="`use_cuda` is deprecated, use `activities` argument instead"):
        profile(use_cuda=False)


@pytest.mark.parametrize("arguments", [{"wait": -1}, {"warmup": -1}, {"active": 0}, {"repeat": -1}, {"skip_first": -1}])
def test_schedule_refuses_impossible_numbers(arguments):
    given = {"wait": 0, "warmup": 1, "active": 1, "repeat": 0, "skip_first": 0} | arguments
    text = (f"Invalid profiler schedule arguments. Got wait={given['wait']} (need >= 0), warmup={given['warmup']} "
            f"(need >= 0), active={given['active']} (need > 0), repeat={given['repeat']} (need >= 0), "
            f"skip_first={given['skip_first']} (need >= 0).")
    with pytest.raises(AssertionError) as caught:
        schedule(**given)
    assert str(caught.value) == text


@pytest.mark.parametrize(("arguments", "actions"), [
    ({"wait": 1, "warmup": 1, "active": 2}, "NWRSNWRSNW"),
    ({"wait": 1, "warmup": 1, "active": 2, "repeat": 1}, "NWRSNNNNNN"),
    ({"wait": 2, "warmup": 0, "active": 1, "skip_first": 2}, "NNNNSNNSNN"),
    ({"wait": 2, "warmup": 1, "active": 2, "skip_first": 1, "skip_first_wait": 1}, "NWRSNNWRSN"),
    ({"wait": 2, "warmup": 1, "active": 2, "repeat": 2, "skip_first_wait": 1}, "WRSNNWRSNN")])
def test_schedule_is_torch_s(arguments, actions):
    letters = {ProfilerAction.NONE: "N", ProfilerAction.WARMUP: "W", ProfilerAction.RECORD: "R",
               ProfilerAction.RECORD_AND_SAVE: "S"}
    plan = cycle(**arguments)
    assert "".join(letters[plan(step)] for step in range(10)) == actions


def test_schedule_warns_without_warmup_and_refuses_negative_steps():
    with pytest.warns(UserWarning, match="Profiler won't be using warmup, this can skew profiler results"):
        plan = schedule(wait=0, warmup=0, active=1)
    with pytest.raises(AssertionError, match="Step must be non-negative. Got -1."):
        plan(-1)
    with pytest.raises(TypeError):
        schedule(1, 1, 1)


@pytest.mark.filterwarnings("ignore:Warning. Profiler clears events")
def test_a_wrong_schedule_of_one_s_own_warns_and_records_on():
    plan = [ProfilerAction.RECORD, ProfilerAction.WARMUP, ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE]
    with pytest.warns(UserWarning, match="Incorrect schedule: RECORD followed by WARMUP"):
        with profile(schedule=lambda step: plan[step] if step < 4 else ProfilerAction.NONE) as prof:
            for _ in range(4):
                torch.ones(1)
                prof.step()
    assert count(prof, "aten::ones") == 2


def test_a_schedule_may_not_return_what_the_profiler_sets_itself():
    with pytest.raises(ValueError, match="DEVICE_STOPPED is set internally"):
        profile(schedule=lambda step: ProfilerAction.DEVICE_STOPPED)
    plan = [ProfilerAction.RECORD, ProfilerAction.DEVICE_STOPPED]
    prof = profile(schedule=lambda step: plan[step])
    prof.start()
    with pytest.raises(ValueError, match="DEVICE_STOPPED is set internally"):
        prof.step()
    assert prof.step_num == 0 and prof.current_action is ProfilerAction.RECORD and prof.step_rec_fn is None
    with pytest.warns(UserWarning):
        prof.stop()


@pytest.mark.parametrize("action", [None, 2, "RECORD"])
def test_a_schedule_returns_actions(action):
    with pytest.raises(TypeError, match="a schedule returns a ProfilerAction for each step, but this one returned"):
        profile(schedule=lambda step: action)


@pytest.mark.parametrize("name", ["record_shapes", "profile_memory", "with_flops", "with_stack"])
def test_switches_are_read_as_truth_values(name):
    for value in (None, 0, 2, 0.5):
        with profile(**{name: value}) as prof:
            torch.ones(2)
        assert [e.name for e in prof.events()][:1] == ["aten::ones"] or name == "with_stack"
    with pytest.raises(TypeError):
        profile(**{name: "yes"}).start()
