"""What the threads' logs hold, in plain Python: the reading of logs.pyx, used where nothing is compiled."""

from __future__ import annotations

import threading

import numpy as np

from . import rows
from .layout import MEMORY, NUMBER_BITS, ROW, ROW_WORD, TENSOR
from .rows import late_ends, thread_facts  # noqa: F401  thread_facts is asked for here

_END, _BACK = 1, 4  # places in a row, while it is still a list


def _log(thread: int) -> rows._Log:
    if not 0 < thread <= len(rows._logs):
        raise IndexError(f"there is no thread {thread} in the recorder, only 1 to {len(rows._logs)}")
    return rows._logs[thread - 1]


def standing() -> tuple[int, dict[int, tuple[int, int, int]]]:
    """Bytes alive and marks() at one instant: compiled, no other thread can run in between."""
    return rows.allocated_bytes(), marks()


def marks() -> dict[int, tuple[int, int, int]]:
    """Where each thread's log ends now: {thread: (rows, memory rows, tensors)}, counted over the log's life."""
    return {log.index: (log.first + len(log.rows), log.first_memory + len(log.memory),
                        log.first_tensor + len(log.tensors)) for log in list(rows._logs)}


def last_ns() -> int:
    """The latest time in the logs."""
    return max((log.latest_ns for log in list(rows._logs)), default=0)


def held(thread: int) -> tuple[int, int, int]:
    """Where what a thread's log holds begins, counted as in marks()."""
    log = _log(thread)
    return log.first, log.first_memory, log.first_tensor


def life(thread: int) -> int:
    """How many threads have had this log before."""
    return _log(thread).life


def open_rows(thread: int) -> list[int]:
    """Numbers of a thread's open rows, innermost first."""
    log, numbers = _log(thread), []
    number = log.innermost
    while number >= log.first and number >= 0:
        row = log.row(number)
        if not row[_END]:
            numbers.append(number)
        number = number - row[_BACK] if row[_BACK] else -1
    return numbers + log.outer[::-1]


def read(thread: int, begin: tuple[int, int, int], end: tuple[int, int, int]) -> tuple:
    """Copies of a thread's rows, memory rows and tensors between two marks, after the number of the first row."""
    log = _log(thread)
    row = max(begin[0], log.first)
    memory, tensor = max(0, begin[1] - log.first_memory), max(0, begin[2] - log.first_tensor)
    return (row, np.array([tuple(r) for r in log.rows[row - log.first:max(0, end[0] - log.first)]], ROW),
            np.array(log.memory[memory:max(0, end[1] - log.first_memory)], MEMORY),
            np.array(log.tensors[tensor:max(0, end[2] - log.first_tensor)], TENSOR))


def begins_at(thread: int, marks: tuple[int, int, int]) -> bool:
    """Whether a thread's buffers hold nothing from before the marks."""
    return all(begin >= mark for begin, mark in zip(held(thread), marks))


def take(thread: int, end: tuple[int, int, int]) -> tuple:
    """Hand out a thread's log up to a mark, as read() does, and start an empty one."""
    log, taken = _log(thread), read(thread, (0, 0, 0), end)
    _detach(log)
    log.innermost, log.outer = -1, []
    return taken


def cut(thread: int, end: tuple[int, int, int]) -> tuple | None:
    """As take(), but rows that are open stay so: what follows lies in them, and their ends are noted (see ends_of()).

    None, and nothing is done, if the log has gone on since the mark.
    """
    log = _log(thread)
    if marks()[thread] != tuple(end):
        return None
    taken, still_open = read(thread, (0, 0, 0), end), open_rows(thread)
    _detach(log)
    log.outer = still_open[::-1]
    return taken


def _detach(log: rows._Log) -> None:
    log.first += len(log.rows)
    log.first_memory += len(log.memory)
    log.first_tensor += len(log.tensors)
    log.rows, log.memory, log.tensors = [], [], []


def ends_of(thread: int, numbers: np.ndarray) -> np.ndarray:
    """When these rows of a thread ended; 0 for those that have not. Of a row that was cut off it is told once."""
    log, asked = _log(thread), np.asarray(numbers, np.int64).ravel().tolist()
    kept = [log.row(number) for number in asked]
    return np.array([late_ends.pop(thread << NUMBER_BITS | number, 0) if row is None else row[_END]
                     for number, row in zip(asked, kept)], np.int64)


def drop_before(thread: int, number: int, time_ns: int) -> None:
    """Forget a thread's rows below a number, their tensors, and the memory changes before a time."""
    log = _log(thread)
    n = min(max(0, number - log.first), len(log.rows))
    del log.rows[:n]
    log.first += n
    rows.step_out(log)
    gone = sum((given[0] - 1 - log.first) & ROW_WORD > ROW_WORD // 2 for given in log.tensors)
    del log.tensors[:gone]
    log.first_tensor += gone
    gone = sum(change[0] < time_ns for change in log.memory)
    del log.memory[:gone]
    log.first_memory += gone


def fit(thread: int, spare: int) -> None:
    """Give back what a thread's buffers have beyond their items: Python's lists do so themselves."""


def after_fork() -> None:
    """Forget all rows: they are the parent's. This thread has another number in the child."""
    clear()
    rows.log_of_thread().os_id = threading.get_native_id()


def clear() -> None:
    """Forget all rows; open ones close without a trace."""
    for thread, end in marks().items():
        take(thread, end)
    late_ends.clear()
