"""Workers that fail: what a worker writes down of it, and what torchrun says of all of them."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WIDTH = 60
_NOT_WRITTEN = "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"


@dataclass
class ProcessFailure:
    """One worker that failed."""

    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    timestamp: float
    rank: int = 0

    @property
    def message(self) -> str:
        """The traceback that the worker wrote, or why there is none."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            return json.loads(Path(self.error_file).read_text())["message"]["message"]
        if self.exitcode < 0:
            return f"Signal {-self.exitcode} ({self.signal_name()}) received by PID {self.pid}"
        return _NOT_WRITTEN

    def signal_name(self) -> str:
        """The name of the signal that ended it, if one did."""
        with contextlib.suppress(ValueError):
            return signal.Signals(-self.exitcode).name if self.exitcode < 0 else ""
        return ""

    def described(self, number: int) -> str:
        """The lines about it."""
        name = f" ({self.signal_name()})" if self.exitcode < 0 else ""
        is_written = Path(self.error_file).exists() if self.error_file else False
        when = time.strftime("%Y-%m-%d_%H:%M:%S", time.localtime(self.timestamp))
        return (f"[{number}]:\n  time      : {when}\n  host      : {socket.gethostname()}\n"
                f"  rank      : {self.rank} (local_rank: {self.local_rank})\n"
                f"  exitcode  : {self.exitcode} (pid: {self.pid}){name}\n"
                f"  error_file: {self.error_file if is_written else '<N/A>'}\n  traceback : {self.message}")


class ChildFailedError(Exception):
    """Workers failed: which ones, and which of them first."""

    def __init__(self, name: str, failures: dict[int, ProcessFailure]) -> None:
        self.name, self.failures = name, failures
        super().__init__(self.format_msg())

    def get_first_failure(self) -> tuple[int, ProcessFailure]:
        """The one that failed first, and its number."""
        rank = min(self.failures, key=lambda rank: self.failures[rank].timestamp)
        return rank, self.failures[rank]

    def format_msg(self) -> str:
        """What is printed."""
        first, root_cause = self.get_first_failure()
        others = [failure.described(number + 1) for number, failure in
                  enumerate(failure for rank, failure in sorted(self.failures.items()) if rank != first)]
        return "\n".join(["", "=" * _WIDTH, f"{self.name} FAILED", "-" * _WIDTH, "Failures:",
                          *(others or ["  <NO_OTHER_FAILURES>"]), "-" * _WIDTH,
                          "Root Cause (first observed failure):", root_cause.described(0), "=" * _WIDTH])


def record(fn: Callable, error_handler: object | None = None) -> Callable:
    """A worker's function that writes its failure where torchrun reads it."""
    @functools.wraps(fn)
    def recorded(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except Exception as error:
            _write(error)
            raise
    return recorded


def _write(error: Exception) -> None:
    """Leave the traceback in the file that torchrun named."""
    path = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if path:
        text = "".join(traceback.format_exception(error))
        message = {"message": f"{type(error).__name__}: {error}\n{text}".rstrip(),
                   "extraInfo": {"py_callstack": text, "timestamp": str(int(time.time()))}}
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(json.dumps({"message": message}))
