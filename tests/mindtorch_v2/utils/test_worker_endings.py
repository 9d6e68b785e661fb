"""Programs with workers that are interrupted, killed or end early: no process stays, and none hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import mindtorch_v2 as torch

PROGRAM = """
import os, sys, time
import mindtorch_v2 as torch
from mindtorch_v2.utils.data import DataLoader, Dataset

class Slow(Dataset):
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        time.sleep(0.01)
        return torch.ones(2)

loop = iter(DataLoader(Slow(), num_workers=2, persistent_workers={persistent}))
next(loop)
print(*[worker.pid for worker in loop._workers], flush=True)
{ending}
"""
PATIENCE_S = 20


def run(ending: str, persistent: bool = False) -> tuple[subprocess.Popen, list[int]]:
    source = PROGRAM.format(ending=textwrap.dedent(ending), persistent=persistent)
    program = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    return program, [int(pid) for pid in program.stdout.readline().split()]


def wait_for_end(pids: list[int]) -> None:
    """All processes gone, or a failure that names them."""
    deadline = time.monotonic() + PATIENCE_S
    while alive := [pid for pid in pids if os.path.exists(f"/proc/{pid}") and not _is_zombie(pid)]:
        assert time.monotonic() < deadline, f"processes {alive} are still there"
        time.sleep(0.02)


def _is_zombie(pid: int) -> bool:
    """Whether a process has ended and only nobody asked how, such as the parent of orphans in a container."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("persistent", [False, True])
def test_interrupted_program_ends_with_its_workers_and_one_traceback(persistent):
    program, workers = run("for batch in loop: pass", persistent)
    os.killpg(program.pid, signal.SIGINT)  # as Ctrl-C does: everybody gets it
    _, errors = program.communicate(timeout=PATIENCE_S)
    wait_for_end(workers)
    assert program.returncode in (-signal.SIGINT, 130, 1)
    assert errors.count("Traceback") == 1 and errors.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize("ending", ["", "raise ValueError('in the loop')", "sys.exit(0)", "os._exit(0)",
                                    "os.kill(os.getpid(), 9)"])
def test_workers_end_with_their_program(ending):
    program, workers = run(ending)
    program.communicate(timeout=PATIENCE_S)
    wait_for_end(workers)


def test_failures_of_processes_that_another_loader_started_are_told_by_their_number():
    signals = torch.utils.data._utils.signal_handling
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    signals._set_worker_pids(0, (process.pid,))
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(RuntimeError, match=f"pid {process.pid}.* exited unexpectedly with exit code 3"):
            signals._error_if_any_worker_fails()
    finally:
        signals._remove_worker_pids(0)
        process.wait()


def test_a_worker_of_another_loader_sees_that_its_parent_is_there():
    assert torch.utils.data._utils.worker.ManagerWatchdog().is_alive()
