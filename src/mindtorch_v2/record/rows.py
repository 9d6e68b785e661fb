"""Per-thread buffers of rows, in plain Python: the reading of rows.pyx, used where nothing is compiled."""

from __future__ import annotations

import threading
import time

import numpy as np

ROW = np.dtype([("start_ns", "i8"), ("end_ns", "i8"), ("sequence", "i8"), ("name", "i4"), ("parent", "i4"),
                ("inputs", "i4"), ("forward_thread", "i4"), ("scope", "i4"), ("flags", "i4")])
MEMORY = np.dtype([("time_ns", "i8"), ("address", "i8"), ("change", "i8"), ("total", "i8"), ("row", "i4"),
                   ("unused", "i4")])


class _Log:
    """What one thread recorded: rows, memory rows, and the innermost open row."""

    def __init__(self, index: int):
        self.index = index
        self.rows: list[list[int]] = []
        self.memory: list[tuple[int, ...]] = []
        self.innermost = -1
        self.os_id = threading.get_native_id()
        self.name = threading.current_thread().name


_logs: list[_Log] = []
_local = threading.local()
_lock = threading.Lock()
_wanted = 0
_live_bytes = 0
now_ns = time.monotonic_ns


def _log() -> _Log:
    found = getattr(_local, "log", None)
    if found is None:
        with _lock:
            found = _local.log = _Log(len(_logs) + 1)
            _logs.append(found)
    return found


def listen(want: int) -> None:
    """Say what to record: 0 nothing, 1 calls, +2 memory, +4 inputs."""
    global _wanted
    _wanted = want


def listening() -> int:
    return _wanted


is_listening = listening


def thread_index() -> int:
    return _log().index


current_thread = thread_index


def open_row(name: int, scope: int = 0, sequence: int = -1, inputs: int = -1, forward_thread: int = 0) -> int:
    log = _log()
    row = len(log.rows)
    log.rows.append([now_ns(), 0, sequence, name, log.innermost, inputs, forward_thread, scope, 0])
    log.innermost = row
    return row


def close_row(row: int) -> None:
    log = _log()
    if not 0 <= row < len(log.rows) or log.rows[row][1]:
        return  # the buffers were emptied while the row was open
    log.rows[row][1] = now_ns()
    while log.innermost >= 0 and log.rows[log.innermost][1]:
        log.innermost = log.rows[log.innermost][4]


open_range, close_range = open_row, close_row


def memory_changed(address: int, change: int) -> None:
    """Count an allocation (positive) or a release (negative), and keep it if somebody listens."""
    global _live_bytes
    _live_bytes += change
    if _wanted & 2:
        log = _log()
        log.memory.append((now_ns(), address, change, _live_bytes, log.innermost, 0))


def allocated_bytes() -> int:
    return _live_bytes


def set_clock(clock) -> None:
    global now_ns
    now_ns = clock or time.monotonic_ns


def marks() -> dict[int, tuple[int, int]]:
    """Where each thread's log ends now: {thread: (rows, memory rows)}."""
    return {log.index: (len(log.rows), len(log.memory)) for log in _logs}


def read(thread: int, first_row: int, first_memory: int) -> tuple[np.ndarray, np.ndarray]:
    """Copies of a thread's rows and memory rows from the given marks on."""
    log = _logs[thread - 1]
    return (np.array([tuple(r) for r in log.rows[first_row:]], ROW), np.array(log.memory[first_memory:], MEMORY))


def thread_facts(thread: int) -> tuple[int, str]:
    """Operating-system id and name of a thread that has a log."""
    return _logs[thread - 1].os_id, _logs[thread - 1].name


def clear() -> None:
    """Forget all rows; open ones close without a trace."""
    for log in _logs:
        log.rows.clear()
        log.memory.clear()
        log.innermost = -1
