"""How processes that load data ended, in torch's words."""

from __future__ import annotations

import signal
from collections.abc import Iterable

_workers: dict[int, tuple] = {}  # the processes of each iterator

_SHARED_MEMORY = ("It is possible that dataloader's workers are out of shared memory. Please try to raise your shared "
                  "memory limit.")


def _set_worker_pids(key: int, processes: Iterable) -> None:
    """Have an eye on processes."""
    _workers[key] = tuple(processes)


def _remove_worker_pids(key: int) -> None:
    _workers.pop(key, None)


def _error_if_any_worker_fails() -> None:
    """Raise if one of the processes was killed or ended with a failure."""
    for process in [process for processes in _workers.values() for process in processes]:
        if process.exitcode:
            raise failure_of(process)


def failure_of(process) -> RuntimeError:
    """How a process ended that should not have."""
    if process.exitcode is not None and process.exitcode < 0:
        number = -process.exitcode
        hint = _SHARED_MEMORY if number == signal.SIGBUS else ""
        return RuntimeError(f"DataLoader worker (pid {process.pid}) is killed by signal: "
                            f"{signal.strsignal(number)}. {hint}")
    return RuntimeError(f"DataLoader worker (pid {process.pid}) exited unexpectedly with exit code {process.exitcode}. "
                        "Details are lost due to multiprocessing. Rerunning with num_workers=0 may give better error "
                        "trace.")
