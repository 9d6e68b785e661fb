"""The workers of one machine as torchrun starts them: with numbers in their environment, and ended when one fails."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from .elastic.multiprocessing.errors import ChildFailedError, ProcessFailure

POLL_S = 0.1
STDOUT, STDERR = 1, 2  # bits of what of a worker's output is meant


@dataclass
class Launch:
    """What is to be started."""

    program: str  # as it is called in messages
    command: list[str]
    arguments: list[str]
    nproc: int
    environment: dict[str, str]
    first_rank: int
    log_dir: Path
    shown: set[int] | None = None  # local ranks whose output is shown, if not all
    redirected: dict[int, int] = field(default_factory=dict)  # by local rank: what goes to files instead
    copied: dict[int, int] = field(default_factory=dict)  # by local rank: what goes to files as well
    passes_local_rank: bool = False
    shutdown_s: float = 30.0


def run_workers(launch: Launch, attempt: int) -> None:
    """Start all workers and wait for them; if one fails, end the others and say which."""
    started = [_Worker(launch, local_rank, attempt) for local_rank in range(launch.nproc)]
    failures: dict[int, ProcessFailure] = {}
    try:
        while not failures and any(worker.process.poll() is None for worker in started):
            time.sleep(POLL_S)
            _note_failures(started, failures)
        _note_failures(started, failures)
    finally:
        _end(started, launch.shutdown_s)
    if failures:
        _note_failures(started, failures)
        raise ChildFailedError(launch.program, failures)


def _note_failures(started: list[_Worker], failures: dict[int, ProcessFailure]) -> None:
    for worker in started:
        code = worker.process.poll()
        if code and worker.rank not in failures:
            failures[worker.rank] = ProcessFailure(worker.local_rank, worker.process.pid, code, worker.error_file,
                                                   time.time(), worker.rank)


def _end(started: list[_Worker], patience_s: float) -> None:
    """End workers that still run: asked first, then killed."""
    for worker in started:
        if worker.process.poll() is None:
            worker.process.send_signal(signal.SIGTERM)
    end = time.monotonic() + patience_s
    for worker in started:
        try:
            worker.process.wait(max(end - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()
        worker.close()


class _Worker:
    """One process, and what is done with its output."""

    def __init__(self, launch: Launch, local_rank: int, attempt: int) -> None:
        self.local_rank, self.rank = local_rank, launch.first_rank + local_rank
        folder = launch.log_dir / f"attempt_{attempt}" / str(local_rank)
        folder.mkdir(parents=True, exist_ok=True)
        self.error_file = str(folder / "error.json")
        rank = str(self.rank)
        environment = {**launch.environment, "RANK": rank, "ROLE_RANK": rank, "LOCAL_RANK": str(local_rank),
                       "TORCHELASTIC_RESTART_COUNT": str(attempt), "TORCHELASTIC_ERROR_FILE": self.error_file}
        own = [f"--local-rank={local_rank}"] if launch.passes_local_rank else []
        self._files: list[TextIO] = []
        self._copiers: list[threading.Thread] = []
        redirected, copied = launch.redirected.get(local_rank, 0), launch.copied.get(local_rank, 0)
        is_shown = launch.shown is None or local_rank in launch.shown
        places = {name: self._place(folder / f"{name}.log", bit & redirected, bit & copied, is_shown)
                  for name, bit in (("stdout", STDOUT), ("stderr", STDERR))}
        self.process = subprocess.Popen([*launch.command, *own, *launch.arguments], env=environment, **places)
        for name in ("stdout", "stderr"):
            if places[name] == subprocess.PIPE:
                self._copy(name, folder / f"{name}.log")

    def _place(self, path: Path, is_redirected: int, is_copied: int, is_shown: bool):
        """Where a stream goes: to the terminal, to a file, or by way of a copier to both."""
        if is_copied:
            return subprocess.PIPE
        if is_redirected:
            file = path.open("w")
            self._files.append(file)
            return file
        return None if is_shown else subprocess.DEVNULL

    def _copy(self, name: str, path: Path) -> None:
        stream, shown = getattr(self.process, name), getattr(sys, name)
        label = f"[rank{self.rank}]:"

        def copy() -> None:
            with path.open("wb") as file:
                for line in stream:
                    file.write(line)
                    shown.write(label + line.decode(errors="replace"))
                    shown.flush()
        self._copiers.append(threading.Thread(target=copy, daemon=True))
        self._copiers[-1].start()

    def close(self) -> None:
        """Let the copiers finish, and close the files."""
        for copier in self._copiers:
            copier.join(POLL_S * 10)
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()


def forward_signals() -> None:
    """Have signals that end torchrun end its workers too."""
    def stop(number: int, frame) -> None:
        raise SystemExit(128 + number)
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), stop)


def cpu_count() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
