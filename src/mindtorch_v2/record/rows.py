"""Per-thread buffers of rows, in plain Python: the reading of rows.pyx, used where nothing is compiled."""

from __future__ import annotations

import threading
import time

import numpy as np

from .layout import MEMORY, NUMBER_BITS, ROW, TENSOR
from .locks import new_lock
from .plain_text import name_of_thread

NUMBER = (1 << NUMBER_BITS) - 1
# Places in a row, while it is still a list.
_END, _BACK = 1, 4


class _Log:
    """What one thread recorded; ``first*`` count what was handed out before."""

    def __init__(self, index: int, thread: threading.Thread):
        self.index = index
        self.thread, self.os_id = thread, thread.native_id
        self.rows: list[list[int]] = []
        self.memory: list[tuple[int, ...]] = []
        self.tensors: list[tuple[int, ...]] = []
        self.first = self.first_memory = self.first_tensor = 0
        self.innermost = -1
        self.outer: list[int] = []
        self.latest_ns = 0
        self.calls: list[int] = []
        self.session = 0

    def now(self) -> int:
        """The time, never earlier than what this thread was told before."""
        self.latest_ns = max(now_ns(), self.latest_ns)
        return self.latest_ns

    def row(self, number: int) -> list[int] | None:
        at = number - self.first
        return self.rows[at] if 0 <= at < len(self.rows) else None


_logs: list[_Log] = []
_local = threading.local()
_lock = new_lock()
_wanted = 0
_live_bytes = 0
# How many rows and memory rows a thread may hold, 0 for any number; and who is told when it holds them.
_most_rows = _most_memory = 0
_full = None
_dropped = [0, 0]
_late_ends: dict[int, int] = {}
now_ns = time.monotonic_ns


def log_of_thread() -> _Log:
    found = getattr(_local, "log", None)
    if found is None:
        found = _local.log = log_for(threading.current_thread())
    return found


def log_for(thread: threading.Thread) -> _Log:
    """The log of any running thread: its own, one that an ended thread left empty, or another."""
    with _lock:
        for log in _logs:
            if log.thread is thread:
                return log
            if not log.rows and not log.memory and not log.thread.is_alive():
                log.thread, log.os_id = thread, thread.native_id
                log.innermost, log.latest_ns, log.session = -1, 0, 0
                log.calls.clear()
                log.outer.clear()
                return log
        _logs.append(_Log(len(_logs) + 1, thread))
        return _logs[-1]


def listen(want: int) -> None:
    """Say what to record: a sum of the bits in layout.py."""
    global _wanted
    _wanted = want


def listening() -> int:
    return _wanted


is_listening = listening


def thread_index() -> int:
    return log_of_thread().index


current_thread = thread_index


def open_row(name: int, scope: int = 0, sequence: int = -1, inputs: int = -1, forward_thread: int = 0) -> int:
    return open_in(log_of_thread(), name, scope, sequence, inputs, forward_thread)


def open_in(log: _Log, name: int, scope: int, sequence: int, inputs: int, forward_thread: int) -> int:
    if _most_rows and len(log.rows) >= _most_rows and not _full(log.index):
        _dropped[0] += 1
        return -1
    row = [log.now(), 0, sequence, name, 0, inputs, forward_thread, scope, 0]
    number = log.first + len(log.rows)  # only now: making the row may start a garbage collection that opens others
    row[_BACK] = number - log.innermost if log.innermost >= 0 else 0
    log.rows.append(row)
    log.innermost = number
    return log.index << NUMBER_BITS | number


def close_row(handle: int) -> None:
    if handle < 0:
        return
    log, number = _logs[(handle >> NUMBER_BITS) - 1], handle & NUMBER
    row = log.row(number)
    if number in log.outer:  # cut off while it was open
        log.outer.remove(number)
        _late_ends[handle] = log.now()
    elif row is None or row[_END]:
        return  # handed out while it was open, or closed before
    else:
        row[_END] = log.now()
    _step_out(log)


def _step_out(log: _Log) -> None:
    """Make the nearest open ancestor the innermost row; it may be one that was cut off."""
    while log.innermost >= log.first and log.row(log.innermost)[_END]:
        back = log.row(log.innermost)[_BACK]
        log.innermost = log.innermost - back if back else -1
    if log.innermost < log.first:
        log.innermost = max((number for number in log.outer if number <= log.innermost), default=-1)


open_range, close_range = open_row, close_row


def limit(n_rows: int, n_memory: int, when_full) -> None:
    """How many rows and memory rows a thread may hold (0: any number).

    ``when_full(thread)`` makes room, or says that there may be more (True), or that what comes is dropped (False).
    """
    global _most_rows, _most_memory, _full
    _most_rows, _most_memory, _full = n_rows, n_memory, when_full


def dropped() -> tuple[int, int]:
    """How many rows and memory rows were dropped since this was last asked."""
    found = tuple(_dropped)
    _dropped[:] = 0, 0
    return found


def memory_changed(address: int, change: int, seen: bool) -> bool:
    """Count an allocation (positive) or a release (negative); True if somebody listens, and it was kept."""
    global _live_bytes
    _live_bytes += change
    if not _wanted & 2:
        return False
    log = log_of_thread()
    if _most_memory and len(log.memory) >= _most_memory and not _full(log.index):
        _dropped[1] += 1
        return False
    log.memory.append((log.now(), address * 2 + seen, change, (log.innermost + 1) & 0xFFFFFFFF))
    return True


def tensor_given(handle: int, slot: int, tensor: int, storage: int) -> None:
    """Keep which tensor a row was given; the row must be this thread's."""
    if handle >= 0:
        log_of_thread().tensors.append(((handle & NUMBER) + 1 & 0xFFFFFFFF, slot, tensor, storage))


note_tensor = tensor_given


def allocated_bytes() -> int:
    return _live_bytes


def set_clock(clock) -> None:
    """Stamp rows by another clock, or by the machine's again (None); thread order starts anew with it."""
    global now_ns
    now_ns = clock or time.monotonic_ns
    for log in _logs:
        log.latest_ns = 0


def latest_ns() -> int:
    """The time, no earlier than anything that is in the logs."""
    return max([now_ns(), *(log.latest_ns for log in _logs)])


def standing() -> tuple[int, dict[int, tuple[int, int, int]]]:
    """Bytes alive and marks() at one instant: compiled, no other thread can run in between."""
    return _live_bytes, marks()


def marks() -> dict[int, tuple[int, int, int]]:
    """Where each thread's log ends now: {thread: (rows, memory rows, tensors)}, counted over the thread's life."""
    return {log.index: (log.first + len(log.rows), log.first_memory + len(log.memory),
                        log.first_tensor + len(log.tensors)) for log in _logs}


def held(thread: int) -> tuple[int, int, int]:
    """Where what a thread's log holds begins, counted as in marks()."""
    log = _logs[thread - 1]
    return log.first, log.first_memory, log.first_tensor


def open_rows(thread: int) -> list[int]:
    """Numbers of a thread's open rows, innermost first."""
    log, found = _logs[thread - 1], []
    number = log.innermost
    while number >= log.first and number >= 0:
        row = log.row(number)
        if not row[_END]:
            found.append(number)
        number = number - row[_BACK] if row[_BACK] else -1
    return found + log.outer[::-1]


def read(thread: int, begin: tuple[int, int, int], end: tuple[int, int, int]) -> tuple:
    """Copies of a thread's rows, memory rows and tensors between two marks, after the number of the first row."""
    log = _logs[thread - 1]
    row = max(begin[0], log.first)
    memory, tensor = max(0, begin[1] - log.first_memory), max(0, begin[2] - log.first_tensor)
    return (row, np.array([tuple(r) for r in log.rows[row - log.first:max(0, end[0] - log.first)]], ROW),
            np.array(log.memory[memory:max(0, end[1] - log.first_memory)], MEMORY),
            np.array(log.tensors[tensor:max(0, end[2] - log.first_tensor)], TENSOR))


def begins_at(thread: int, marks: tuple[int, int, int]) -> bool:
    """Whether a thread's buffers hold nothing from before the marks."""
    log = _logs[thread - 1]
    return log.first >= marks[0] and log.first_memory >= marks[1] and log.first_tensor >= marks[2]


def take(thread: int, end: tuple[int, int, int]) -> tuple:
    """Hand out a thread's log up to a mark, as read() does, and start an empty one."""
    log = _logs[thread - 1]
    taken = read(thread, (0, 0, 0), end)
    log.first += len(log.rows)
    log.first_memory += len(log.memory)
    log.first_tensor += len(log.tensors)
    log.rows, log.memory, log.tensors = [], [], []
    log.innermost = -1
    log.outer = []
    return taken


def cut(thread: int) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """As take(), but rows that are open stay so: what follows lies in them, and their ends are noted (see ends())."""
    log, still_open = _logs[thread - 1], open_rows(thread)
    innermost, taken = log.innermost, take(thread, marks()[thread])
    log.innermost, log.outer = innermost, still_open[::-1]
    return taken


def ends(thread: int) -> dict[int, int]:
    """When rows of a thread ended that had been cut off while they were open: {number: end_ns}, each told once."""
    mine = [handle for handle in _late_ends if handle >> NUMBER_BITS == thread]
    return {handle & NUMBER: _late_ends.pop(handle) for handle in mine}


def drop_before(thread: int, number: int) -> None:
    """Forget a thread's rows below a number, their tensors, and the memory changes before the first that stays."""
    log = _logs[thread - 1]
    n = min(max(0, number - log.first), len(log.rows))
    del log.rows[:n]
    log.first += n
    _step_out(log)
    gone = sum((given[0] - 1 - log.first) & 0xFFFFFFFF >= 0x80000000 for given in log.tensors)
    del log.tensors[:gone]
    log.first_tensor += gone
    if log.rows:
        drop_memory(thread, sum(change[0] < log.rows[0][0] for change in log.memory))


def drop_memory(thread: int, n: int) -> None:
    """Forget the first n memory changes of a thread."""
    log = _logs[thread - 1]
    del log.memory[:n]
    log.first_memory += n


def thread_facts(thread: int) -> tuple[int, str]:
    """Operating-system id and name of a thread that has a log."""
    return _logs[thread - 1].os_id, name_of_thread(_logs[thread - 1].thread)


def after_fork() -> None:
    """Forget all rows: they are the parent's. This thread has another number in the child."""
    clear()
    log_of_thread().os_id = threading.get_native_id()


def clear() -> None:
    """Forget all rows; open ones close without a trace."""
    for thread, end in marks().items():
        take(thread, end)
