"""A schedule that did not do what its author wanted says so once, and says what was kept."""

from __future__ import annotations

import contextlib
import io
import re
import threading
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ProfilerAction, profile, record_function
from mindtorch_v2.record import rows

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


# ---- what is shown however it ends ---------------------------------------------------------------------------
# Steps of schedule(wait=1, warmup=1, active=2): NONE, WARMUP, RECORD, SAVE, and so on.

CYCLE = 4
EXITS = ["end of the block", "an error", "stop()", "stop() on another thread"]


def loop(steps: int, leave: str, heard: list | None, acc_events: bool):
    """A batch per step, and then the end; the profile and what it said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        prof = profile(schedule=cycle(wait=1, warmup=1, active=2), acc_events=acc_events,
                       on_trace_ready=None if heard is None else lambda p: heard.append(batches(p)))
        try:
            with prof:
                for step in range(steps):
                    with record_function(f"batch {step}"):
                        torch.ones(1)
                    prof.step()
                if leave == "an error":
                    raise KeyError
                if leave == "stop()":
                    prof.stop()
                elif leave == "stop() on another thread":
                    thread = threading.Thread(target=prof.stop)
                    thread.start()
                    thread.join()
        except KeyError:
            pass
        prof.step()  # after stop() it counts on, and nothing else
    return prof, [str(w.message) for w in caught if "clears events" not in str(w.message)]


def batches(prof) -> list[int]:
    return [int(event.name.split()[1]) for event in prof.events() if event.name.startswith("batch")]


def exported(prof) -> list[int]:
    text = io.StringIO()
    prof.export_chrome_trace(text)
    return [int(n) for n in re.findall(r'"batch (\d+)"', text.getvalue())]


@pytest.mark.parametrize("leave", EXITS)
@pytest.mark.parametrize("steps", range(2 * CYCLE + 2))
@pytest.mark.parametrize("has_handler", [False, True])
@pytest.mark.parametrize("acc_events", [False, True])
def test_the_last_finished_cycle_is_shown_unless_a_later_one_records(leave, steps, has_handler, acc_events):
    recorded = [step for step in range(steps) if step % CYCLE >= 2]
    cycles = [recorded[at:at + 2] for at in range(0, len(recorded), 2)]
    records = steps % CYCLE >= 2
    finished, unfinished = (cycles, []) if not records else (cycles[:steps // CYCLE], sum(cycles[steps // CYCLE:], []))
    heard = [] if has_handler else None
    prof, said = loop(steps, leave, heard, acc_events)
    if has_handler:
        handed_over = finished + [unfinished] * records
        so_far = [sum(handed_over[:n], []) for n in range(1, len(handed_over) + 1)]
        assert heard == (so_far if acc_events else handed_over)
    if steps == 0:  # nothing was ever prepared, as in torch
        with pytest.raises(AssertionError, match="Profiler must be initialized before accessing events"):
            prof.events()
    else:
        latest = recorded if acc_events else unfinished if records else (finished or [[]])[-1]
        assert batches(prof) == exported(prof) == latest
        assert [a.count for a in prof.key_averages() if a.key == f"batch {(latest or [0])[-1]}"] == [1] * bool(latest)
    assert rows.is_listening() == 0 and prof.step_num == steps + 1
    told = bool(finished) and not has_handler and not acc_events
    mistaken = not finished and leave != "an error"
    assert len(said) == (told or mistaken)
    if told:
        assert ("was cleared" if records else f"show the last finished cycle, number {len(finished)}") in said[0]


def test_the_notice_is_given_each_time():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            with profile(schedule=cycle(wait=0, warmup=1, active=3)) as prof:
                for _ in range(4):
                    torch.ones(1)
                    prof.step()
            assert count(prof, "aten::ones") == 3
    assert sum("show the last finished cycle" in str(w.message) for w in caught) == 3
    assert all(w.filename == __file__ for w in caught)


@pytest.mark.parametrize(("plan", "steps"), [
    (cycle(wait=1, warmup=1, active=2, repeat=1), 7), (cycle(wait=0, warmup=1, active=1, repeat=2), 4),
    (lambda step: [RECORD, SAVE, NONE][min(step, 2)], 5)])
def test_a_schedule_that_is_over_needs_no_notice(plan, steps):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*clears events")
        with profile(schedule=plan) as prof:
            for _ in range(steps):
                torch.ones(1)
                prof.step()
    assert count(prof, "aten::ones") > 0


def test_the_finished_cycle_is_shown_while_the_next_one_warms_up_and_after_a_jump_back():
    with pytest.warns(UserWarning, match="Incorrect schedule: WARMUP followed by NONE"):
        with profile(schedule=lambda step: [SAVE, WARMUP, NONE][min(step, 2)]) as prof:
            torch.ones(1)
            prof.step()
            assert count(prof, "aten::ones") == 1 and prof.get_trace_id()
            torch.ones(1)
            prof.step()
            assert count(prof, "aten::ones") == 1
    assert count(prof, "aten::ones") == 1


def test_warnings_of_a_profile_in_an_exit_stack_point_at_the_user_s_line():
    with pytest.warns(UserWarning, match="step.* was never called") as caught:
        with contextlib.ExitStack() as stack:
            stack.enter_context(profile(schedule=cycle(wait=1, warmup=1, active=1)))
    assert caught[0].filename == __file__


def test_steps_of_a_waiting_profile_are_counted_and_seen_by_another_that_records():
    waiting = profile(schedule=torch.profiler.schedule(wait=7, warmup=1, active=1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it comes to record nothing
        with waiting:
            for _ in range(2):
                waiting.step()
            with profile() as recording:
                for _ in range(2):
                    waiting.step()
            for _ in range(3):
                waiting.step()
            assert (waiting.step_num, waiting.current_action) == (7, WARMUP)
    assert [e.name for e in recording.events()] == ["ProfilerStep*", "ProfilerStep*"]
