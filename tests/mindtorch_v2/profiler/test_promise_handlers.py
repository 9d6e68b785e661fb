"""Traces that a handler writes never take each other's names, and a handler that fails spoils nothing else."""

from __future__ import annotations

import json
import os
import re
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ProfilerAction, _KinetoProfile, profile, record_function, tensorboard_trace_handler
from mindtorch_v2.profiler.session import endings
from mindtorch_v2.record import rows

from .reading import count, cycle

RECORD = ProfilerAction.RECORD


@pytest.fixture
def coarse_clock(monkeypatch):
    """Time in steps so long that everything happens at the same nanosecond."""
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)


def written(folder) -> list[str]:
    """The ids of all traces in a folder, which must be nothing but traces."""
    assert all(p.name.endswith(".pt.trace.json") for p in folder.iterdir())
    return [json.loads(p.read_text())["trace_id"] for p in folder.iterdir()]


def write_traces(folder, n: int) -> list[str]:
    made = []
    for _ in range(n):
        with profile(on_trace_ready=tensorboard_trace_handler(folder, "worker")) as prof:
            torch.ones(1)
        made.append(prof.get_trace_id())
    return made


def test_threads_that_write_at_the_same_nanosecond_all_keep_their_traces(tmp_path, coarse_clock):
    with ThreadPoolExecutor(8) as pool:
        made = sum(pool.map(lambda _: write_traces(tmp_path, 5), range(8)), [])
    assert len(made) == 40 and sorted(written(tmp_path)) == sorted(made)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_that_write_at_the_same_nanosecond_all_keep_their_traces(tmp_path, coarse_clock):
    children = []
    for _ in range(4):
        children.append(os.fork())
        if children[-1] == 0:
            os._exit(len(write_traces(tmp_path, 5)))
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [5] * 4
    assert len(set(written(tmp_path))) == 20


def test_a_folder_that_cannot_be_made_is_named_and_a_trace_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match="on_trace_ready failed: RuntimeError: Can't create directory: .*file/logs"):
        with profile(on_trace_ready=tensorboard_trace_handler(tmp_path / "file" / "logs")):
            torch.ones(1)

    class Unwritable(profile):
        def export_chrome_trace(self, path, use_python_export=False):
            raise OSError("no space")

    with pytest.warns(UserWarning, match="on_trace_ready failed: OSError: no space"):
        with Unwritable(on_trace_ready=tensorboard_trace_handler(tmp_path / "logs")):
            torch.ones(1)
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_failing_handler_does_not_hide_what_failed_in_the_block():
    def fail(_):
        raise OSError("disk full")

    with pytest.warns(UserWarning, match="on_trace_ready failed: OSError.*disk full"):
        with pytest.raises(KeyError, match="mine"):
            with profile(on_trace_ready=fail) as prof:
                torch.ones(1)
                raise KeyError("mine")
    assert count(prof, "aten::ones") == 1


class Handler:
    """Hears of cycles, and fails on some of them."""

    def __init__(self, error: BaseException, fails_on: tuple[int, ...] = (0,)):
        self.error, self.fails_on, self.heard = error, fails_on, []

    def __call__(self, prof) -> None:
        self.heard.append(batches(prof))
        if len(self.heard) - 1 in self.fails_on:
            raise self.error


CYCLES = [["batch 0", "batch 1"], ["batch 2", "batch 3"], ["batch 4", "batch 5"]]


def batches(prof) -> list[str]:
    return [e.name for e in prof.events() if e.name.startswith("batch")]


def train(handler, warmup: int = 0, **arguments):
    """Three cycles of two batches; the profile, and what step() raised."""
    raised, batch = [], 0
    with profile(schedule=cycle(wait=0, warmup=warmup, active=2, repeat=3), on_trace_ready=handler,
                 **arguments) as prof:
        for step in range(3 * (2 + warmup)):
            if step % (2 + warmup) >= warmup:
                with record_function(f"batch {batch}"):
                    torch.ones(1)
                batch += 1
            try:
                prof.step()
            except BaseException as error:
                raised.append(error)
    return prof, raised


@pytest.mark.parametrize("warmup", [0, 1])
def test_a_handler_s_error_in_step_is_a_warning_with_its_traceback_and_its_cycle_is_kept(tmp_path, warmup):
    handler = Handler(OSError("disk full"))
    with pytest.warns(UserWarning, match="on_trace_ready failed: OSError: disk full") as caught:
        prof, raised = train(handler, warmup)
    said, = [str(w.message) for w in caught if "on_trace_ready" in str(w.message)]
    assert (raised, handler.heard) == ([], CYCLES)
    assert "prof.unsaved[-1]" in said and "in __call__" in said and "raise self.error" in said
    assert all(w.filename == __file__ for w in caught)
    kept, = prof.unsaved
    assert batches(kept) == CYCLES[0] and "batch 0" in kept.key_averages().table()
    kept.export_chrome_trace(tmp_path / "kept.json")
    assert "batch 1" in (tmp_path / "kept.json").read_text()
    kept.on_trace_ready(kept)  # tried again
    assert handler.heard[-1] == CYCLES[0] and batches(prof) == CYCLES[2]


def test_errors_of_every_cycle_are_told_and_the_newest_cycles_kept():
    with pytest.warns(UserWarning, match="on_trace_ready failed") as caught:
        prof, raised = train(Handler(OSError("disk full"), (0, 1, 2)))
    assert sum("on_trace_ready" in str(w.message) for w in caught) == 3
    assert raised == [] and [batches(kept) for kept in prof.unsaved] == CYCLES and batches(prof) == CYCLES[2]
    with pytest.warns(UserWarning, match="on_trace_ready failed"):
        with profile(schedule=cycle(wait=0, warmup=0, active=1), on_trace_ready=Handler(OSError(), range(99))) as prof:
            for batch in range(9):
                with record_function(f"batch {batch}"):
                    prof.step()
    assert len(prof.unsaved) == 4


def test_with_acc_events_the_cycle_is_kept_among_all():
    with pytest.warns(UserWarning, match="kept among the events of the profile"):
        prof, _ = train(Handler(OSError("disk full")), acc_events=True)
    assert batches(prof) == sum(CYCLES, []) and prof.unsaved == []


def test_a_switch_has_errors_raised_as_in_torch():
    handler = Handler(OSError("disk full"))
    prof, raised = train(handler, callback_errors="raise")
    assert raised == [handler.error] and handler.heard == CYCLES and batches(prof.unsaved[0]) == CYCLES[0]
    with pytest.raises(OSError, match="disk full"):
        with profile(on_trace_ready=Handler(OSError("disk full")), callback_errors="raise"):
            torch.ones(1)
    with pytest.raises(ValueError, match="callback_errors should be one of .*, but got 'ignore'"):
        profile(callback_errors="ignore")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_what_is_no_error_goes_on_but_nothing_is_lost_and_the_next_cycle_works(error):
    handler = Handler(error)
    prof, raised = train(handler)
    endings._interrupted.clear()
    assert raised == [error] and handler.heard == CYCLES and batches(prof.unsaved[0]) == CYCLES[0]


def test_an_error_at_the_end_of_the_block_does_not_end_the_program():
    with pytest.warns(UserWarning, match="on_trace_ready failed: ZeroDivisionError"):
        with profile(on_trace_ready=lambda prof: 1 / 0) as prof:
            torch.ones(1)
    assert count(prof, "aten::ones") == count(prof.unsaved[0], "aten::ones") == 1


def test_warnings_that_are_errors_are_raised_when_the_next_cycle_has_begun():
    handler = Handler(OSError("disk full"))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "on_trace_ready failed")
        prof, raised = train(handler)
    assert [type(error) for error in raised] == [UserWarning] and handler.heard == CYCLES


def test_a_handler_may_stop_the_profile_or_start_it_again():
    with profile(schedule=cycle(wait=0, warmup=0, active=1), on_trace_ready=lambda prof: prof.stop()) as prof:
        for _ in range(3):
            torch.ones(1)
            prof.step()
            assert not rows.is_listening()
    starts = []

    def again(prof):
        starts.append(count(prof, "aten::ones"))
        if len(starts) == 1:
            prof.start()

    prof = profile(on_trace_ready=again)
    prof.start()
    torch.ones(1)
    prof.stop()
    torch.ones(1)
    torch.ones(1)
    prof.stop()
    assert starts == [1, 2] and not rows.is_listening()


def failing(*args):
    raise KeyError("mine")


@pytest.mark.parametrize("schedule", [lambda step: RECORD if step < 2 else failing(),
                                      lambda step: RECORD if step < 2 else None])
def test_a_schedule_that_fails_ends_the_profile_and_not_the_program(schedule):
    heard = []
    with pytest.warns(UserWarning, match="The schedule failed: ") as caught:
        with profile(schedule=schedule, on_trace_ready=heard.append) as prof:
            for _ in range(6):
                torch.ones(1)
                prof.step()
    assert heard == [prof] and count(prof, "aten::ones") == 2 and prof.step_num == 6
    assert len(caught) == 1 and caught[0].filename == __file__
    prof = profile(schedule=schedule, callback_errors="raise")
    prof.start()
    prof.step()
    with pytest.raises((KeyError, TypeError)):
        prof.step()
    prof.stop()
    assert not rows.is_listening()


@pytest.mark.parametrize("callback", [failing, lambda: 5])
def test_a_trace_id_that_cannot_be_had_is_replaced(callback):
    with pytest.warns(UserWarning, match="custom_trace_id_callback failed"):
        with profile(custom_trace_id_callback=callback) as prof:
            torch.ones(1)
    assert re.fullmatch("[0-9A-F]{32}", prof.get_trace_id()) and count(prof, "aten::ones") == 1
    with pytest.raises((KeyError, TypeError)):
        profile(custom_trace_id_callback=callback, callback_errors="raise").start()
    assert not rows.is_listening()


class Observer:
    """An execution trace observer, one of whose methods fails."""

    def __init__(self, fails: str):
        setattr(self, fails, failing)

    def start(self):
        """Nothing."""

    stop = cleanup = start


@pytest.mark.parametrize(("kind", "method"), [(profile, "start"), (profile, "stop"), (profile, "cleanup"),
                                              (_KinetoProfile, "start"), (_KinetoProfile, "stop")])
def test_an_observer_that_fails_leaves_the_profile_whole(kind, method):
    prof = kind(execution_trace_observer=Observer(method))
    with pytest.warns(UserWarning, match=f"execution_trace_observer.{method}.* failed: KeyError: 'mine'"):
        prof.start()
        torch.ones(1)
        prof.stop()
    assert count(prof, "aten::ones") == 1 and not rows.is_listening()


class UnprintableError(Exception):
    """An error that cannot be told."""

    def __str__(self):
        raise ValueError

    __repr__ = __str__


def test_an_error_that_cannot_be_printed_is_told_of_all_the_same():
    with pytest.warns(UserWarning, match="on_trace_ready failed: .*UnprintableError"):
        with profile(on_trace_ready=Handler(UnprintableError())):
            torch.ones(1)
