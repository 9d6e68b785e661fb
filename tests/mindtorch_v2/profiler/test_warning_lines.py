"""Every warning of the profiler points at the user's own line; none breaks a profile where warnings are errors."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import warnings

import pytest

from mindtorch_v2.profiler.session import step_tracker, warn_once

FILE, MARK = "/home/user/program.py", "# here"
PREAMBLE = """\
import asyncio, contextlib, os, threading
import mindtorch_v2 as torch
from mindtorch_v2.profiler import *
from mindtorch_v2.profiler import ProfilerAction
from mindtorch_v2._C._profiler import _ExperimentalConfig
def fails(*args): raise ValueError("no")
"""
# What a program does, the line it should be told of, and a word of the warning.
PROGRAMS = {
    "a schedule without warm-up": ("""
        schedule(wait=0, warmup=0, active=1)  # here
        """, "warmup"),
    "a cycle that replaces another": ("""
        with profile(schedule=schedule(wait=0, warmup=1, active=1), on_trace_ready=print) as prof:
            for _ in range(4):
                prof.step()  # here
        """, "clears events"),
    "a profile that is started again": ("""
        prof = profile()
        with prof: torch.ones(1)
        with prof:  # here
            torch.ones(1)
        """, "clears events"),
    "use_cuda": ("""
        profile(use_cuda=False)  # here
        """, "use_cuda"),
    "use_cuda of autograd's profile": ("""
        torch.autograd.profiler.profile(use_cuda=True)  # here
        """, ""),
    "a device that is not there": ("""
        torch.autograd.profiler.profile(use_device="xpu")  # here
        """, "not available"),
    "a device that nobody knows": ("""
        torch.autograd.profiler.profile(use_device="toaster")  # here
        """, "toaster"),
    "trace_only with stacks": ("""
        with profile(with_stack=True, experimental_config=_ExperimentalConfig(trace_only=True)):  # here
            pass
        """, "trace_only"),
    "performance events": ("""
        prof = profile(experimental_config=_ExperimentalConfig(performance_events=["cycles"]))
        prof.start()  # here
        prof.stop()
        """, "performance_events"),
    "metadata_json": ("""
        with profile() as prof:
            torch.ones(1)
        prof.events()[0].metadata_json  # here
        """, "metadata_json"),
    "a memory timeline": ("""
        with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
            torch.ones(1)
        prof.export_memory_timeline(os.devnull)  # here
        """, "export_memory_timeline"),
    "a profiler that was not enabled": ("""
        torch._C._autograd._disable_profiler()  # here
        """, "no active"),
    "an observer that was not there": ("""
        torch._C._profiler._remove_execution_trace_observer()  # here
        """, "not initialized"),
    "a handler that fails": ("""
        prof = profile(on_trace_ready=fails)
        prof.start()
        prof.stop()  # here
        """, "on_trace_ready failed"),
    "a handler that fails after the block": ("""
        try:
            with profile(on_trace_ready=fails, callback_errors="raise"):  # here
                fails()
        except ValueError:
            pass
        """, "on_trace_ready failed"),
    "a schedule that fails": ("""
        prof = profile(schedule=lambda step: ProfilerAction.RECORD if step == 0 else fails())
        prof.start()
        prof.step()  # here
        """, "schedule failed"),
    "an identifier that fails": ("""
        prof = profile(custom_trace_id_callback=fails)
        prof.start()  # here
        prof.stop()
        """, "custom_trace_id_callback failed"),
    "a schedule that never came to record": ("""
        prof = profile(schedule=schedule(wait=5, warmup=1, active=1))
        prof.start()
        prof.step()
        prof.stop()  # here
        """, "before its schedule"),
    "a schedule that is incorrect": ("""
        prof = profile(schedule=lambda step: ProfilerAction.RECORD if step == 0 else ProfilerAction.NONE)
        prof.start()
        prof.step()  # here
        prof.stop()
        """, "Incorrect schedule"),
    "steps that are counted too fast": ("""
        tracker = torch.autograd.profiler.KinetoStepTracker
        tracker._step_dict["a"] = tracker.current_step() + 5
        tracker.increment_step("a")  # here
        """, "step count"),
    "a profile that nobody holds": ("""
        prof = profile()
        prof.start()
        prof = None  # here
        """, "dropped while it recorded"),
    "an ExitStack": ("""
        stack = contextlib.ExitStack()
        stack.enter_context(profile(schedule=schedule(wait=5, warmup=1, active=1)))
        stack.close()  # here
        """, "Profiler has a schedule"),
    "a thread that is given a method": ("""
        prof = profile(on_trace_ready=fails)
        prof.start()  # here
        thread = threading.Thread(target=prof.stop)
        thread.start()
        thread.join()
        """, "on_trace_ready failed"),
    "a loop that calls a method": ("""
        async def main():
            prof = profile(on_trace_ready=fails)
            prof.start()
            asyncio.get_running_loop().call_soon(prof.stop)
            await asyncio.sleep(0)
        asyncio.run(main())  # here
        """, "on_trace_ready failed"),
}


def written(program: str) -> tuple[str, int]:
    """The program, and the number of the line that is marked."""
    text = PREAMBLE + textwrap.dedent(program)
    return text, next(n for n, line in enumerate(text.splitlines(), 1) if MARK in line)


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    monkeypatch.setattr(warn_once, "_WARNINGS_SHOWN", set())
    monkeypatch.setattr(step_tracker.KinetoStepTracker, "_step_dict", step_tracker.defaultdict(int))


@pytest.mark.parametrize(("program", "word"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_warning_points_at_the_user_s_line(program, word):
    text, line = written(program)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(text, FILE, "exec"), {"__name__": "__main__"})
    assert {(w.filename, w.lineno) for w in caught if word in str(w.message)} == {(FILE, line)}
    assert {w.filename for w in caught} == {FILE}


def test_code_without_a_module_is_warned_too():
    text, line = written("schedule(wait=0, warmup=0, active=1)  # here")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(text, FILE, "exec"), {"__name__": None})
    assert [(w.filename, w.lineno) for w in caught] == [(FILE, line)]


@pytest.mark.parametrize("options", ["", "on_trace_ready=fails", "schedule=schedule(wait=5, warmup=1, active=1)"])
def test_what_is_said_when_the_program_ends_points_at_the_line_that_started_it(options, tmp_path):
    text, line = written(f"""
        prof = profile({options})
        prof.start()  # here
        torch.ones(1)
        """)
    (tmp_path / "program.py").write_text(text)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    told = [said for said in done.stderr.splitlines() if "Warning:" in said]
    assert told and all(f"program.py:{line}: " in said for said in told), done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("program", [
    "with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof: torch.ones(1)",
    "with torch.autograd.profiler.profile(use_kineto=True) as prof: torch.ones(1)",
    "with profile(schedule=schedule(wait=0, warmup=1, active=1, repeat=1), on_trace_ready=lambda prof: None) as prof:\n"
    "    for _ in range(2): torch.ones(1); prof.step()"])
def test_a_profile_works_where_warnings_are_errors(program, tmp_path):
    (tmp_path / "program.py").write_text(PREAMBLE + program + "\n" + textwrap.dedent("""
        prof.key_averages().table()
        prof.export_chrome_trace(os.devnull)
        """))
    done = subprocess.run([sys.executable, "-W", "error", "program.py"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_warning_that_is_an_error_leaves_the_profile_in_its_next_state():
    text, _ = written("""
        prof = profile(on_trace_ready=fails)
        prof.start()
        torch.ones(1)
        prof.stop()  # here
        """)
    scope: dict = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="on_trace_ready failed"):
            exec(compile(text, FILE, "exec"), scope)
    assert len(scope["prof"].unsaved) == 1 and len(scope["prof"].events()) == 3
    scope["prof"].stop()
