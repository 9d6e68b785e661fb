"""Nothing records for ever: not a profile started twice, dropped, or interrupted in the middle of anything."""

from __future__ import annotations

import dis
import gc
import io
import linecache
import random
import signal
import sys
import threading
import time
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import profiler as autograd_profiler
from mindtorch_v2.autograd import profiler_legacy
from mindtorch_v2.profiler import ExecutionTraceObserver, ProfilerActivity, _KinetoProfile, profile, schedule
from mindtorch_v2.profiler.session import endings, overhead
from mindtorch_v2.record import locks, recorder, rows

from .reading import count, cycle

CPU = {ProfilerActivity.CPU}
PLACES = 150  # lines before which a life is interrupted


@pytest.fixture(autouse=True)
def nothing_records_before_and_after():
    assert_nothing_records()
    yield
    assert_nothing_records()


def assert_nothing_records() -> None:
    """No window is open, and the recorder works."""
    assert rows.is_listening() == 0 and recorder._open_windows == [] and endings._running == {}
    with profile() as prof:
        torch.zeros(1)
    assert count(prof, "aten::zeros") == 1 and rows.is_listening() == 0


@pytest.mark.parametrize("kind", [profile, _KinetoProfile])
def test_a_second_start_is_refused_and_changes_nothing(kind):
    prof = kind()
    prof.start()
    torch.ones(1)
    with pytest.raises(RuntimeError, match="running already. Call stop.. before it is started again"):
        prof.start()
    torch.ones(1)
    prof.stop()
    assert rows.is_listening() == 0 and count(prof, "aten::ones") == 2


def test_a_profile_inside_itself_is_refused_and_the_outer_block_ends_it():
    prof = profile()
    with pytest.raises(RuntimeError, match="running already"):
        with prof:
            torch.ones(1)
            with prof:
                pass
    assert rows.is_listening() == 0 and count(prof, "aten::ones") == 1


@pytest.mark.parametrize("kind", [autograd_profiler.profile, profiler_legacy.profile, autograd_profiler.emit_itt])
def test_autograd_s_profiles_are_not_reentrant(kind):
    prof = kind()
    with prof:
        with pytest.raises(RuntimeError, match="not reentrant"):
            with prof:
                pass
    assert rows.is_listening() == 0


def test_the_low_level_steps_are_refused_out_of_order():
    prof = _KinetoProfile()
    with pytest.raises(AssertionError, match="Profiler must be initialized before starting trace"):
        prof.start_trace()
    prof.prepare_trace()
    prof.start_trace()
    for again in (prof.prepare_trace, prof.start_trace):
        with pytest.raises(RuntimeError, match="running already"):
            again()
    torch.ones(1)
    prof.stop_trace()
    prof.stop_trace()
    assert count(prof, "aten::ones") == 1


def test_collection_toggled_in_odd_states_changes_nothing():
    prof = profile()
    prof.toggle_collection_dynamic(False, CPU)  # before it starts
    with prof:
        for enable in (True, False, False, True, True):
            prof.toggle_collection_dynamic(enable, CPU)
        torch.ones(1)
        prof.toggle_collection_dynamic(False, CPU)
        torch.ones(1)
    prof.toggle_collection_dynamic(True, CPU)  # after it has ended
    assert count(prof, "aten::ones") == 1


def test_steps_and_stops_of_a_profile_that_does_not_run():
    prof = profile(schedule=cycle(wait=0, warmup=0, active=2, repeat=1))
    prof.step()
    assert prof.step_num == 1 and rows.is_listening() == 0
    prof.start()
    torch.ones(1)
    prof.step()
    for _ in range(3):
        prof.stop()
        prof.step()
    assert count(prof, "aten::ones") == 1 and prof.step_num == 5


def test_a_block_may_be_left_on_another_thread():
    prof = profile().__enter__()
    torch.ones(1)
    thread = threading.Thread(target=prof.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    torch.ones(1)
    assert count(prof, "aten::ones") == 1


def drop_running(kind) -> None:
    prof = kind()
    prof.__enter__() if hasattr(prof, "__enter__") else prof.start()
    torch.ones(1)


@pytest.mark.parametrize("kind", [profile, _KinetoProfile, autograd_profiler.profile, profiler_legacy.profile,
                                  lambda: profile(schedule=cycle(wait=0, warmup=0, active=2))])
def test_a_profile_that_nobody_holds_stops_and_says_so(kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        drop_running(kind)
        assert rows.is_listening() == 0
    assert ["A profile was dropped while it recorded" in str(w.message) for w in caught] == [True]
    assert caught[0].filename == __file__


def test_a_profile_of_a_thread_that_has_ended_stops():
    def enable():
        torch.autograd._enable_profiler(autograd_profiler.profile().config(), CPU)

    with pytest.warns(UserWarning, match="A profile was dropped while it recorded"):
        thread = threading.Thread(target=enable)
        thread.start()
        thread.join()
        gc.collect()


def test_a_profile_dropped_in_a_garbage_collection_inside_the_recorder_is_stopped_when_the_recorder_is_done():
    class Garbage:
        """Something in whose death a window is dropped."""

        def __del__(self):
            seen.append(windows.clear() or rows.is_listening())

    def collect(last):
        gc.collect()
        return read(last)

    windows, seen = [recorder.Window(2).open()], []
    with profile() as prof:
        torch.ones(1)
        garbage = Garbage()
        garbage.itself = garbage
        del garbage
        window = prof.profiler._recordings._parts[-1].window
        read, window._read = window._read, collect
        del window
    assert seen[-1] and rows.is_listening() == 0 and count(prof, "aten::ones") == 1


def test_a_profile_with_a_handler_that_nobody_holds_goes_on_and_is_handed_over_at_the_end():
    heard = []
    profile(on_trace_ready=lambda prof: heard.append(count(prof, "aten::ones"))).start()
    gc.collect()
    torch.ones(1)
    with pytest.warns(UserWarning, match="A profile was still running when the program ended"):
        endings._at_exit()
    assert heard == [1]


# ---- interrupted at every line -------------------------------------------------------------------------------

def whole_life() -> None:
    """Everything a profile does in its life, its measuring of itself included."""
    overhead._known.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(schedule=schedule(wait=0, warmup=1, active=1, repeat=2), with_stack=True, record_shapes=True,
                     on_trace_ready=lambda prof: prof.export_chrome_trace(io.StringIO())) as prof:
            for _ in range(4):
                torch.ones(1)
                prof.step()
            prof.events()


def autograd_life() -> None:
    overhead._known.clear()
    with autograd_profiler.profile(profile_memory=True):
        torch.ones(1)
    with profiler_legacy.profile():
        torch.ones(1)


def observed_life(folder) -> None:
    observer = ExecutionTraceObserver().register_callback(str(folder / "trace.json"))
    try:
        with profile(execution_trace_observer=observer):
            torch.ones(1)
    finally:
        observer.unregister_callback()


class Interrupter:
    """Raises KeyboardInterrupt before the n-th line that runs in the package."""

    def __init__(self, n: int):
        self.left = n
        self.where = None
        self.entered: set[tuple] = set()

    def run(self, work) -> bool:
        """Whether the work was interrupted."""
        before = sys.gettrace()
        sys.settrace(self.on_call)
        try:
            work()
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
        return False

    def on_call(self, frame, event, argument):
        path = frame.f_code.co_filename
        return self.on_line if "mindtorch_v2/profiler/session" in path or "mindtorch_v2/record" in path else None

    def is_idle(self, frame) -> bool:
        """A line such as ``try:`` does nothing, so no signal is answered there, and no ``finally`` covers it."""
        return frame.f_code.co_code[frame.f_lasti] == dis.opmap["NOP"]

    def leaves_a_block(self, frame) -> bool:
        """Python tells of a ``with`` line once more when its block is left; there no signal is ever answered."""
        line = id(frame), frame.f_lineno  # the frame itself would be kept, and the profile with it
        is_with = linecache.getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith("with ")
        leaves = is_with and line in self.entered
        self.entered.add(line)
        return leaves

    def on_line(self, frame, event, argument):
        if event == "line" and not self.is_idle(frame) and not self.leaves_a_block(frame):
            self.left -= 1
            if self.left == 0:
                self.where = frame.f_code.co_filename, frame.f_lineno
                sys.settrace(None)
                raise KeyboardInterrupt
        elif event == "return":
            self.entered = {line for line in self.entered if line[0] != id(frame)}
        return self.on_line


def interrupted_at_random(work) -> None:
    """Interrupt the work before one line and another; what is done in the first run alone is not counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        work()
    lines = Interrupter(sys.maxsize)
    lines.run(work)
    total, interrupted = sys.maxsize - lines.left, 0
    for n in random.Random(0).sample(range(1, total), PLACES):
        interrupter = Interrupter(n)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            interrupted += interrupter.run(work)
            endings._interrupted.clear()
            for running in list(endings._running.values()):  # a block whose exit was interrupted in its first line
                running.profile().stop()
            if rows.is_listening():
                gc.collect()
        assert rows.is_listening() == 0 and recorder._open_windows == [], interrupter.where
        assert not any(lock._is_owned() for lock in locks._locks), interrupter.where
        with pytest.raises(KeyboardInterrupt):  # signals are heard again
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, interrupter.where
    assert interrupted > PLACES // 2


def test_an_interrupt_at_any_line_of_a_profile_s_life_leaves_nothing_recording():
    interrupted_at_random(whole_life)


def test_the_same_for_autograd_s_profiles():
    interrupted_at_random(autograd_life)


def test_the_same_for_an_observer_of_executions(tmp_path):
    interrupted_at_random(lambda: observed_life(tmp_path))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_ctrl_c_at_any_moment_of_stopping_loses_no_trace():
    """A signal is answered when the profile has been stopped and handed over, and always before stop() returns."""
    def interrupt(number, frame):
        raise KeyboardInterrupt

    rng, interrupted = random.Random(0), 0
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(150):
            heard = []
            prof = profile(on_trace_ready=lambda prof: heard.append(count(prof, "aten::ones")))  # noqa: B023
            prof.start()
            torch.ones(1)
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, 4e-4))
                prof.stop()
                time.sleep(0.001)
            except KeyboardInterrupt:
                interrupted += 1
            prof.stop()
            while endings._interrupted:
                endings._save_all()
            assert heard == [1] and rows.is_listening() == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 100


def test_a_signal_handler_that_stops_the_profile_it_interrupts():
    """In the middle of a snapshot, which is whole, and after which the profile has ended."""
    prof = profile()
    before = signal.signal(signal.SIGTERM, lambda number, frame: prof.stop())
    try:
        prof.start()
        torch.ones(1)
        seen = []

        def note(recording):
            signal.raise_signal(signal.SIGTERM)
            seen.append(rows.is_listening())  # not yet answered
            return recording

        window = prof.profiler._recordings._parts[-1].window
        window._read, read = lambda last: note(read(last)), window._read
        assert count(prof, "aten::ones") == 1
        assert seen[0] and rows.is_listening() == 0
    finally:
        signal.signal(signal.SIGTERM, before)
