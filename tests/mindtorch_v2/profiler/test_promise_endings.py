"""However a program ends, its profile is not lost, its exit code is its own, and it is told what it forgot."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import mindtorch_v2 as torch

PREAMBLE = """
import os, signal, sys, threading, time
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, schedule, tensorboard_trace_handler

def saved(prof):
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


def test_a_profile_of_every_thread_is_handed_over_on_sigterm_even_while_one_is_being_written(tmp_path):
    found, said = ended(tmp_path, """
        def slow(prof):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.1)
            prof.export_chrome_trace("slow.json")

        def work():
            prof = profile(on_trace_ready=saved)
            prof.start()

        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
        with profile(on_trace_ready=slow):
            torch.ones(1)
        time.sleep(30)
        """)
    assert found == -signal.SIGTERM
    assert [count_in_trace(tmp_path / f, "aten::ones") for f in ("trace.json", "slow.json")] == [1, 1]


def test_the_program_s_own_answer_to_sigterm_is_left_alone(tmp_path):
    found, said = ended(tmp_path, """
        def own(number, frame):
            sys.exit(7)

        signal.signal(signal.SIGTERM, own)
        with profile(on_trace_ready=saved):
            torch.ones(1)
            assert signal.getsignal(signal.SIGTERM) is own
            terminate()
        """)
    assert found == 7 and count_in_trace(tmp_path / "trace.json", "aten::ones") == 1


def test_a_signal_that_comes_when_the_profile_has_ended_ends_the_process_as_ever(tmp_path):
    found, said = ended(tmp_path, """
        with profile(on_trace_ready=saved):
            torch.ones(1)
        os.unlink("trace.json")
        terminate()
        """)
    assert (found, said) == (-signal.SIGTERM, "") and list(tmp_path.iterdir()) == []


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
