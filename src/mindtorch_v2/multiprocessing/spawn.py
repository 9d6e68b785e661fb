"""One function in several processes at once: the first that fails ends them all, and its failure is raised."""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence

__all__ = ["ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException", "SpawnContext",
           "spawn", "start_processes"]

ENV_VAR_PARALLEL_START = "TORCH_MP_PARALLEL_START"
PATIENCE_S = 30.0  # between asking a process to end and killing it
PR_SET_PDEATHSIG = 1  # Linux: which signal a process gets when its parent ends

log = logging.getLogger(__name__)


class ProcessException(Exception):  # noqa: N818 - torch's name
    """A process failed: which one it was."""

    __slots__ = ["error_index", "error_pid"]

    def __init__(self, msg: str, error_index: int, error_pid: int):
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.error_pid = error_pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """The function raised in a process."""


class ProcessExitedException(ProcessException):
    """A process was killed, or ended with a code of its own."""

    __slots__ = ["exit_code"]

    def __init__(self, msg: str, error_index: int, error_pid: int, exit_code: int, signal_name: str | None = None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)


def _end_with_parent() -> None:
    """Be interrupted when the parent ends, where the system can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _wrap(fn: Callable, i: int, args: tuple, error_file: str) -> None:
    """Call the function in its process; what it raises goes into a file."""
    _end_with_parent()
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass  # the parent was interrupted too, or it ends its children
    except Exception:
        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


class ProcessContext:
    """Processes that were started together, and the files into which each writes what it raises."""

    def __init__(self, processes: Sequence, error_files: Sequence[str]):
        self.error_files = error_files
        self.processes = processes
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self) -> list[int]:
        return [int(process.pid) for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until processes end; whether all have. If one fails, the others are ended and its failure is raised."""
        if not self.sentinels:
            return True
        from multiprocessing.connection import wait

        for sentinel in wait(list(self.sentinels), timeout):
            index = self.sentinels.pop(sentinel)
            process = self.processes[index]
            process.join()
            if process.exitcode != 0:
                self._end_all(grace_period)
                self._raise_failure(index)
        return not self.sentinels

    def _join_procs_with_timeout(self, timeout: float) -> None:
        """Wait for all, so long in all."""
        deadline = time.monotonic() + timeout
        for process in self.processes:
            process.join(max(0, deadline - time.monotonic()))

    def _end_all(self, grace_period: float | None) -> None:
        """Ask those that are left to end, and kill those that do not."""
        if grace_period is not None:
            self._join_procs_with_timeout(grace_period)
        for process in self.processes:
            if process.is_alive():
                log.warning("Terminating process %s via signal SIGTERM", process.pid)
                process.terminate()
        self._join_procs_with_timeout(PATIENCE_S if grace_period is None else grace_period)
        for process in self.processes:
            if process.is_alive():
                log.warning("Unable to shutdown process %s via SIGTERM , forcefully exiting via SIGKILL", process.pid)
                process.kill()
            process.join()

    def _raise_failure(self, index: int) -> None:
        process = self.processes[index]
        if os.access(self.error_files[index], os.R_OK):
            with open(self.error_files[index], "rb") as file:
                raised = pickle.load(file)
            message = f"\n\n-- Process {index:d} terminated with the following error:\n{raised}"
            raise ProcessRaisedException(message, index, process.pid)
        code = process.exitcode
        if code >= 0:
            raise ProcessExitedException(f"process {index:d} terminated with exit code {code:d}", index, process.pid,
                                         code)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"<Unknown signal {-code}>"
        raise ProcessExitedException(f"process {index:d} terminated with signal {name}", index, process.pid, code, name)


class SpawnContext(ProcessContext):
    """torch's old name."""

    def __init__(self, processes: Sequence, error_files: Sequence[str]):
        warnings.warn("SpawnContext is renamed to ProcessContext since 1.4 release.", stacklevel=2)
        super().__init__(processes, error_files)


def start_processes(fn: Callable, args: tuple = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
                    start_method: str = "spawn") -> ProcessContext | None:
    """Call ``fn(i, *args)`` in processes, started by the given method; wait for them, or return what waits."""
    context = multiprocessing.get_context(start_method)

    def start(i: int) -> tuple:
        from tempfile import NamedTemporaryFile

        with NamedTemporaryFile(prefix="pytorch-errorfile-", suffix=".pickle") as file:
            name = file.name  # which is free again: only a process that fails makes the file
        process = context.Process(target=_wrap, args=(fn, i, args, name), daemon=daemon)
        process.start()
        return process, name

    if start_method == "forkserver" and os.environ.get(ENV_VAR_PARALLEL_START, "0") == "1":
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(max_workers=nprocs) as pool:
            started = list(pool.map(start, range(nprocs)))
    else:
        started = [start(i) for i in range(nprocs)]
    together = ProcessContext([process for process, _ in started], [name for _, name in started])
    if not join:
        return together
    while not together.join():
        pass
    return None


def spawn(fn: Callable, args: tuple = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
          start_method: str = "spawn") -> ProcessContext | None:
    """Call ``fn(i, *args)`` in new processes."""
    if start_method != "spawn":
        warnings.warn(f"This method only supports start_method=spawn (got: {start_method}).\n"
                      "To use a different start_method use:\n\t\t torch.multiprocessing.start_processes(...)",
                      FutureWarning, stacklevel=2)
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
