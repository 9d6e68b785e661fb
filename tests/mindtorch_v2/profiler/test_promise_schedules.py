"""A schedule that did not do what its author wanted says so once, and says what was kept."""

from __future__ import annotations

import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ProfilerAction, profile

from .reading import count, cycle

NONE, WARMUP, RECORD, SAVE = list(ProfilerAction)[:4]


def run(schedule, steps: int, heard: list | None = None):
    """A loop of so many steps under a schedule; the profile and every warning it gave, none held back."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ready = None if heard is None else lambda p: heard.append(count(p, "aten::ones"))
        with profile(schedule=schedule, on_trace_ready=ready, acc_events=True) as prof:
            for _ in range(steps):
                torch.ones(1)
                prof.step()
            torch.ones(1)
    assert all(w.filename == __file__ for w in caught), "a warning points at the line of the user's program"
    return prof, [str(w.message) for w in caught]


@pytest.mark.parametrize(("steps", "said", "kept"), [
    (0, "step() was never called, so it stayed in its first phase (NONE): nothing was recorded", 0),
    (1, "after 1 step in WARMUP, before its schedule came to record: nothing was recorded", 0),
    (2, "after 2 steps, before the first cycle of its schedule (5 steps) was complete: what was recorded of it is kept",
     1),
    (4, "after 4 steps, before the first cycle", 3)])
def test_each_mistake_is_named_once_with_what_was_kept(steps, said, kept):
    heard = []
    prof, messages = run(cycle(wait=1, warmup=1, active=3), steps, heard)
    assert len(messages) == 1 and said in messages[0]
    assert heard == ([kept] if kept else [])
    assert kept == (0 if prof.profiler is None else count(prof, "aten::ones"))


@pytest.mark.parametrize("steps", [5, 6, 9, 10, 12])
def test_a_schedule_that_came_to_its_end_is_not_complained_about(steps):
    assert run(cycle(wait=1, warmup=1, active=3), steps)[1] == []
    assert run(cycle(wait=1, warmup=1, active=3, repeat=1), steps)[1] == []


def test_a_never_stepped_schedule_that_begins_to_record_keeps_what_there_is():
    heard = []
    _, messages = run(cycle(wait=0, warmup=0, active=2), 0, heard)
    assert heard == [1] and len(messages) == 1
    assert "first phase (RECORD): what was recorded of it is kept" in messages[0]


@pytest.mark.parametrize(("actions", "said", "kept"), [
    ([WARMUP, NONE, NONE], "Incorrect schedule: WARMUP followed by NONE", 0),
    ([RECORD, NONE, NONE], "Incorrect schedule: RECORD followed by NONE", 1),
    ([RECORD, WARMUP, WARMUP], "Incorrect schedule: RECORD followed by WARMUP", 1),
    ([NONE, NONE, NONE], "Profiler ended after 2 steps in NONE, before its schedule came to record: nothing", 0),
    ([WARMUP, WARMUP, WARMUP], "Profiler ended after 2 steps in WARMUP, before its schedule came to record", 0)])
def test_mistakes_of_the_user_s_own_schedules_are_named_once(actions, said, kept):
    prof, messages = run(lambda step: actions[step], 2)
    assert len(messages) == 1 and messages[0].startswith(said)
    assert kept == (0 if prof.profiler is None else count(prof, "aten::ones"))


def test_recording_resumes_after_an_incorrect_schedule():
    heard = []
    prof, messages = run(lambda step: [RECORD, WARMUP, RECORD, SAVE, NONE][step], 4, heard)
    assert messages == ["Incorrect schedule: RECORD followed by WARMUP"] and heard == [3]


def test_a_schedule_of_the_user_s_that_always_records_is_no_mistake():
    heard = []
    assert run(lambda step: RECORD, 3, heard)[1] == [] and heard == [4]


def test_a_profile_that_runs_again_is_judged_anew():
    prof = profile(schedule=cycle(wait=0, warmup=0, active=1, repeat=1))
    prof.start()
    prof.step()
    prof.stop()
    prof.start()
    with pytest.warns(UserWarning, match="step\\(\\) was never called"):
        prof.stop()


def test_a_failure_in_the_loop_is_not_called_a_mistake_of_the_schedule():
    with warnings.catch_warnings(), pytest.raises(KeyError):
        warnings.simplefilter("error")
        with profile(schedule=cycle(wait=1, warmup=1, active=1)):
            raise KeyError
