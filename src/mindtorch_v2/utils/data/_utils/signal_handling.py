"""How processes that load data ended, in torch's words."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable

_workers: dict[int, tuple[int, ...]] = {}  # the processes of each iterator, by number

_SHARED_MEMORY = ("It is possible that dataloader's workers are out of shared memory. Please try to raise your shared "
                  "memory limit.")


def _set_worker_pids(key: int, pids: Iterable[int]) -> None:
    """Have an eye on processes."""
    _workers[key] = tuple(pids)


def _remove_worker_pids(key: int) -> None:
    _workers.pop(key, None)


def _set_worker_signal_handlers() -> None:
    """In a worker: signals end it as Python has it."""


def _set_SIGCHLD_handler() -> None:  # noqa: N802  torch's name
    """In the loader's process: nothing to set, as failures are looked for while it waits for a batch."""


def _error_if_any_worker_fails() -> None:
    """Raise if one of the processes was killed or ended with a failure."""
    for pid in [pid for pids in _workers.values() for pid in pids]:
        code = _exit_code(pid)
        if code:
            raise failure(pid, code)


def _exit_code(pid: int) -> int | None:
    """How a child ended, signals as negative numbers; it is left for others to wait for. None: it goes on."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # somebody has waited for it
        return None
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def failure(pid: int, code: int | None) -> RuntimeError:
    """How a process ended that should not have."""
    if code is not None and code < 0:
        number = -code
        hint = _SHARED_MEMORY if number == signal.SIGBUS else ""
        return RuntimeError(f"DataLoader worker (pid {pid}) is killed by signal: "
                            f"{signal.strsignal(number)}. {hint}")
    return RuntimeError(f"DataLoader worker (pid {pid}) exited unexpectedly with exit code {code}. "
                        "Details are lost due to multiprocessing. Rerunning with num_workers=0 may give better error "
                        "trace.")
