"""However a program ends, its profile is not lost, its exit code is its own, and it is told what it forgot."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.record import signals as record_signals

PREAMBLE = """
import os, signal, sys, threading, time
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, schedule, tensorboard_trace_handler

def saved(prof):
    prof.export_chrome_trace("trace.json")

def slow(prof):
    open("begun", "w").close()
    for _ in range(20):
        time.sleep(0.02)
    open("handed over", "a").write("once")
    prof.export_chrome_trace("trace.json")

def terminate():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(30)
"""


def ended(folder, program: str) -> tuple[int, str]:
    """Run a program in a folder of its own; its exit code and what it said."""
    (folder / "program.py").write_text(PREAMBLE + textwrap.dedent(program))
    done = subprocess.run([sys.executable, "program.py"], cwd=folder, timeout=60, capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(Path(torch.__file__).parents[1])})
    (folder / "program.py").unlink()
    return done.returncode, done.stderr


def ended_by(folder, signals, program: str) -> tuple[int, str]:
    """The same for a program that is sent signals once its handler has begun."""
    (folder / "program.py").write_text(PREAMBLE + textwrap.dedent(program))
    child = subprocess.Popen([sys.executable, "program.py"], cwd=folder, stderr=subprocess.PIPE, text=True,
                             env=os.environ | {"PYTHONPATH": str(Path(torch.__file__).parents[1])})
    while not (folder / "begun").exists() and child.poll() is None:
        time.sleep(0.01)
    for number in signals:
        child.send_signal(number)
        time.sleep(0.05)
    said = child.communicate(timeout=60)[1]
    return child.returncode, said


def count_in_trace(path, name: str) -> int:
    return sum(e["name"] == name for e in json.loads(path.read_text())["traceEvents"])


@pytest.mark.parametrize(("ending", "code"), [
    ("", 0), ("sys.exit(3)", 3), ("raise KeyboardInterrupt", -signal.SIGINT), ("raise KeyError('mine')", 1),
    ("terminate()", -signal.SIGTERM)])
def test_a_profile_that_still_runs_is_handed_over_and_named(tmp_path, ending, code):
    found, said = ended(tmp_path, f"""
        prof = profile(on_trace_ready=saved)
        prof.start()
        torch.ones(1)
        {ending}
        """)
    assert found == code
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1
    assert "A profile was still running when the program ended. It was stopped with 3 events" in said
    assert ("mine" in said) == ("mine" in ending)


@pytest.mark.parametrize(("ending", "code"), [("sys.exit(3)", 3), ("terminate()", -signal.SIGTERM)])
def test_a_with_block_that_the_program_leaves_by_ending_is_handed_over_once(tmp_path, ending, code):
    found, said = ended(tmp_path, f"""
        with profile(on_trace_ready=tensorboard_trace_handler(".", "worker")):
            torch.ones(1)
            {ending}
        """)
    assert found == code and [count_in_trace(p, "aten::ones") for p in tmp_path.iterdir()] == [1]
    assert ("still running" in said) == (ending == "terminate()")


def test_a_profile_without_a_handler_is_named_too_and_a_failing_handler_changes_nothing(tmp_path):
    found, said = ended(tmp_path, """
        profiles = [profile(), profile(on_trace_ready=lambda prof: 1 / 0)]
        for prof in profiles:
            prof.start()
        torch.ones(1)
        sys.exit(3)
        """)
    assert found == 3 and "with 3 events, which nobody will read" in said and "ZeroDivisionError" in said


COMPILED = not record_signals.__file__.endswith(".py")
needs_c = pytest.mark.skipif(not COMPILED, reason="Python lets only the main thread answer signals")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGUSR1", "SIGUSR2", "SIGALRM"])
def test_signals_that_end_the_process_have_the_trace_handed_over_first(tmp_path, name):
    code, said = ended(tmp_path, f"""
        with profile(on_trace_ready=tensorboard_trace_handler(".", "worker")):
            torch.ones(1)
            os.kill(os.getpid(), signal.{name})
            time.sleep(30)
        """)
    assert code == -getattr(signal, name) and said.count("still running") == 1
    assert [count_in_trace(p, "aten::ones") for p in tmp_path.iterdir()] == [1]


@pytest.mark.parametrize("when", ["stop()", "step()", "exit"])
@pytest.mark.parametrize("signals", [1, 3])
def test_signals_during_the_handler_wait_for_its_end(tmp_path, when, signals):
    code, said = ended_by(tmp_path, [signal.SIGTERM] * signals, f"""
        plan = schedule(wait=0, warmup=1, active=1)
        prof = profile(on_trace_ready=slow, schedule=plan if {when == "step()"} else None)
        prof.start()
        prof.step()
        torch.ones(1)
        {"" if when == "exit" else "prof." + when}
        time.sleep({0 if when == "exit" else 30})
        """)
    assert code == -signal.SIGTERM and (tmp_path / "handed over").read_text() == "once"
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


def test_a_second_signal_while_the_first_is_answered_changes_nothing(tmp_path):
    code, said = ended_by(tmp_path, [signal.SIGTERM, signal.SIGHUP], """
        prof = profile(on_trace_ready=slow)
        prof.start()
        torch.ones(1)
        terminate()
        """)
    assert code == -signal.SIGTERM and (tmp_path / "handed over").read_text() == "once"
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


@needs_c
@pytest.mark.parametrize("main_does", ["time.sleep(30)", "worker.join()", "threading.Event().wait()",
                                       "torch.ones(4000, 4000) @ torch.ones(4000, 4000)"])
def test_a_profile_of_another_thread_is_handed_over_whatever_the_main_thread_does(tmp_path, main_does):
    code, said = ended(tmp_path, f"""
        started = threading.Event()

        def work():
            prof = profile(on_trace_ready=saved)
            prof.start()
            torch.zeros(1)
            started.set()
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(30)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        started.wait()
        {main_does}
        time.sleep(30)
        """)
    assert code == -signal.SIGTERM and count_in_trace(tmp_path / "trace.json", "aten::zeros") == 1


def test_the_program_may_end_by_itself_while_a_signal_is_being_answered(tmp_path):
    code, said = ended(tmp_path, """
        prof = profile(on_trace_ready=slow)
        prof.start()
        torch.ones(1)
        os.kill(os.getpid(), signal.SIGTERM)
        while not os.path.exists("begun"):
            time.sleep(0.001)
        """)
    assert code == -signal.SIGTERM and (tmp_path / "handed over").read_text() == "once"
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


def test_a_handler_that_fails_on_a_signal_does_not_keep_the_process_alive(tmp_path):
    code, said = ended(tmp_path, """
        profiles = [profile(on_trace_ready=lambda prof: 1 / 0), profile(on_trace_ready=lambda prof: sys.exit(5)),
                    profile(on_trace_ready=saved)]
        for prof in profiles:
            prof.start()
        torch.ones(1)
        terminate()
        """)
    assert code == -signal.SIGTERM and "ZeroDivisionError" in said and "SystemExit" in said
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


def test_an_execution_trace_is_written_on_a_signal_too(tmp_path):
    code, said = ended(tmp_path, """
        observer = torch.profiler.ExecutionTraceObserver().register_callback("trace.json")
        prof = profile(execution_trace_observer=observer)
        prof.start()
        torch.ones(1)
        terminate()
        """)
    assert code == -signal.SIGTERM
    assert "aten::ones" in [node["name"] for node in json.loads((tmp_path / "trace.json").read_text())["nodes"]]


def test_ctrl_c_while_the_trace_is_written_has_it_handed_over_again_at_the_end(tmp_path):
    code, said = ended_by(tmp_path, [signal.SIGINT], """
        with profile(on_trace_ready=slow):
            torch.ones(1)
        """)
    assert code == -signal.SIGINT and (tmp_path / "handed over").read_text() == "once"
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


@pytest.mark.parametrize("before", [True, False])
def test_the_program_s_own_answer_to_a_signal_is_left_alone(tmp_path, before):
    code, said = ended(tmp_path, f"""
        def own(number, frame):
            sys.exit(7)

        if {before}:
            signal.signal(signal.SIGTERM, own)
        with profile(on_trace_ready=saved) as prof:
            signal.signal(signal.SIGTERM, own)
            torch.ones(1)
            with profile(on_trace_ready=print):
                pass
            assert signal.getsignal(signal.SIGTERM) is own
            terminate()
        """)
    assert code == 7 and count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


def test_a_signal_that_the_program_ignores_stays_ignored(tmp_path):
    code, said = ended(tmp_path, """
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with profile(on_trace_ready=saved):
            torch.ones(1)
            os.kill(os.getpid(), signal.SIGHUP)
            torch.ones(1)
        """)
    assert (code, said) == (0, "") and count_in_trace(tmp_path / "trace.json", "aten::ones") == 2


@needs_c
def test_what_python_is_told_of_signals_does_not_change(tmp_path):
    code, said = ended(tmp_path, """
        before = [signal.getsignal(number) for number in signal.valid_signals()]
        with profile(on_trace_ready=saved):
            assert [signal.getsignal(number) for number in signal.valid_signals()] == before
        assert threading.active_count() == 1
        """)
    assert (code, said) == (0, "")


def test_a_signal_that_comes_when_the_profile_has_ended_ends_the_process_as_ever(tmp_path):
    code, said = ended(tmp_path, """
        with profile(on_trace_ready=saved):
            torch.ones(1)
        os.unlink("trace.json")
        terminate()
        """)
    assert (code, said) == (-signal.SIGTERM, "") and list(tmp_path.iterdir()) == []


def test_without_a_handler_there_is_nothing_to_save(tmp_path):
    code, said = ended(tmp_path, """
        with profile():
            terminate()
        """)
    assert (code, said) == (-signal.SIGTERM, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_ends_does_not_hand_over_its_parent_s_profile(tmp_path):
    found, said = ended(tmp_path, """
        with profile(on_trace_ready=tensorboard_trace_handler(".")):
            torch.ones(1)
            child = os.fork()
            if child == 0:
                os.kill(os.getpid(), signal.SIGTERM)
            assert os.waitpid(child, 0)[1] == signal.SIGTERM
            torch.ones(1)
        """)
    assert (found, said) == (0, "") and [count_in_trace(p, "aten::ones") for p in tmp_path.iterdir()] == [2]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_profile_that_still_runs_when_a_child_of_multiprocessing_ends_is_handed_over(tmp_path, method):
    found, said = ended(tmp_path, f"""
        import multiprocessing

        def work():
            prof = profile(on_trace_ready=saved)
            prof.start()
            torch.ones(1)

        if __name__ == "__main__":
            child = multiprocessing.get_context("{method}").Process(target=work)
            child.start()
            child.join()
            sys.exit(child.exitcode)
        """)
    assert found == 0 and said.count("still running") == 1
    assert count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


@pytest.mark.parametrize(("ending", "code"), [("", 0), ("terminate()", -signal.SIGTERM)])
def test_one_that_fails_at_the_end_holds_up_neither_the_others_nor_the_signal(tmp_path, ending, code):
    found, said = ended(tmp_path, f"""
        import warnings
        warnings.simplefilter("error")  # also what is said of a profile that was not stopped
        profiles = [profile(on_trace_ready=sys.exit), profile(on_trace_ready=saved)]
        for prof in profiles:
            prof.start()
        torch.ones(1)
        {ending}
    """)
    assert found == code and count_in_trace(tmp_path / "trace.json", "aten::ones") == 1
    assert "A profile was still running when the program ended" in said
