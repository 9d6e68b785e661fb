"""Per-thread logs of rows, in plain Python: the reading of rows.pyx, used where nothing is compiled."""

from __future__ import annotations

import threading
import time

from .layout import CPU_TIME, CPU_TIMES, NUMBER_BITS, OF_MEMORY, ROW_WORD
from .locks import new_lock
from .plain_text import name_of_thread

NUMBER = (1 << NUMBER_BITS) - 1
# Places in a row, while it is still a list.
_END, _BACK = 1, 4
TIMED_EVERY_NS = 100_000


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
        self.latest_ns = self.timed_ns = 0
        self.calls: list[int] = []
        self.session = self.life = 0

    def now(self) -> int:
        """The time, never earlier than what this thread was told before."""
        self.latest_ns = max(now_ns(), self.latest_ns)
        if _wanted & CPU_TIMES and self.latest_ns - self.timed_ns >= TIMED_EVERY_NS:
            self._note_cpu_time()
        return self.latest_ns

    def _note_cpu_time(self) -> None:
        """Keep how long this thread has been running, as a row that is no event and nobody's parent."""
        is_full = _most_rows and sum(len(log.rows) for log in _logs) >= _most_rows
        if not is_full and now_ns is time.monotonic_ns and getattr(_local, "log", None) is self:
            self.rows.append([self.latest_ns, self.latest_ns, time.thread_time_ns(), 0, 0, -1, 0, CPU_TIME, 0])
            self.timed_ns = self.latest_ns

    def row(self, number: int) -> list[int] | None:
        at = number - self.first
        return self.rows[at] if 0 <= at < len(self.rows) else None


_logs: list[_Log] = []
_local = threading.local()
_lock = new_lock()
_wanted = 0
_live_bytes = 0
# How many rows and memory rows all logs together may hold (0: any number), and who is asked when they hold them.
_most_rows = _most_memory = 0
_full = None
_refused = 0
late_ends: dict[int, int] = {}  # when rows ended that had been cut off while they were open, by their handles
now_ns = time.monotonic_ns


def log_of_thread() -> _Log:
    log = getattr(_local, "log", None)
    if log is None:
        log = _local.log = log_for(threading.current_thread())
    return log


def log_for(thread: threading.Thread) -> _Log:
    """The log of any running thread: its own, one that an ended thread left empty, or another."""
    with _lock:
        for log in _logs:
            if log.thread is thread:
                return log
            if not log.rows and not log.memory and not log.thread.is_alive():
                log.thread, log.os_id = thread, thread.native_id
                log.innermost, log.latest_ns, log.timed_ns, log.session = -1, 0, 0, 0
                log.life += 1
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
    global _refused
    if _most_rows and sum(len(other.rows) for other in _logs) >= _most_rows and not _may_grow(log.index):
        _refused += 1
        return -1
    row = [log.now(), 0, sequence, name, 0, inputs, forward_thread, scope, 0]
    number = log.first + len(log.rows)  # only now: making the row may start a garbage collection that opens others
    row[_BACK] = number - log.innermost if log.innermost >= 0 else 0
    log.rows.append(row)
    log.innermost = number
    return log.index << NUMBER_BITS | number


def close_row(handle: int) -> None:
    if not 0 < handle >> NUMBER_BITS <= len(_logs):
        return  # a row that was refused, or what is no handle
    log, number = _logs[(handle >> NUMBER_BITS) - 1], handle & NUMBER
    row = log.row(number)
    if number in log.outer:  # cut off while it was open
        log.outer.remove(number)
        late_ends[handle] = log.now()
    elif row is None or row[_END]:
        return  # handed out while it was open, or closed before
    else:
        row[_END] = log.now()
    step_out(log)


def step_out(log: _Log) -> None:
    """Make the nearest open ancestor the innermost row; it may be one that was cut off."""
    while log.innermost >= log.first and log.row(log.innermost)[_END]:
        back = log.row(log.innermost)[_BACK]
        log.innermost = log.innermost - back if back else -1
    if log.innermost < log.first:
        log.innermost = max((number for number in log.outer if number <= log.innermost), default=-1)


open_range, close_range = open_row, close_row


def limit(n_rows: int, n_memory: int, step: int, when_full) -> None:
    """How many rows and memory rows all threads together may hold (0: any number); compiled, a log grows by a step.

    ``when_full(thread)`` makes room, or says that there may be more (True), or that what comes is refused (False).
    """
    global _most_rows, _most_memory, _full
    _most_rows, _most_memory, _full = max(n_rows, 0), max(n_memory, 0), when_full


def _may_grow(index: int) -> bool:
    """Ask whether a full log may have more; who is asked must not fail into the profiled program."""
    try:
        return _full is None or _full(index)
    except Exception:
        return False


def refused() -> int:
    """How many rows there was no room for, ever."""
    return _refused


def memory_changed(address: int, change: int, seen: bool) -> bool:
    """Count an allocation (positive) or a release (negative); True if somebody listens, and it was kept."""
    global _live_bytes
    _live_bytes += change
    if not _wanted & OF_MEMORY:
        return False
    log = log_of_thread()
    if _most_memory and sum(len(other.memory) for other in _logs) >= _most_memory and not _may_grow(log.index):
        return False
    log.memory.append((log.now(), address * 2 + seen, change, (log.innermost + 1) & ROW_WORD))
    return True


def tensor_given(handle: int, slot: int, tensor: int, storage: int) -> None:
    """Keep which tensor a row was given; the row must be this thread's."""
    if handle >= 0:
        log_of_thread().tensors.append(((handle & NUMBER) + 1 & ROW_WORD, slot, tensor, storage))


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


def name_thread(name: str) -> None:
    """Compiled, a thread of the recorder's own needs a log; here nobody traces it."""


def thread_facts(thread: int) -> tuple[int, str]:
    """Operating-system id and name of a thread that has a log."""
    if not 0 < thread <= len(_logs):
        raise IndexError(f"there is no thread {thread} in the recorder, only 1 to {len(_logs)}")
    return _logs[thread - 1].os_id, name_of_thread(_logs[thread - 1].thread)
