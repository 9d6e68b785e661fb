"""Windows on the one recorder: several listeners, each with its own begin, end and wishes; the cost is paid once."""

from __future__ import annotations

import os
import sys
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from . import clock, flusher, garbage, logs, rows, tracer, unused_words, watch
from .interrupts import uninterrupted
from .journal import Journal
from .journal_file import MEMORY_ROWS, ROWS
from .journal_file import TENSORS as GIVEN
from .journal_reading import OnDisk, numbered, threads_in, words_in
from .layout import CALLS, COLLECTIONS, INPUTS, MODULES, OF_MEMORY, PYTHON_CALL, STACKS, TENSORS, UNFINISHED
from .locks import new_lock
from .names import inputs, names
from .objects import Objects
from .overflow import PATIENCE_S, Limit
from .recording import Recording, ThreadRows
from .vocabulary import Vocabulary

__all__ = ["CALLS", "COLLECTIONS", "INPUTS", "OF_MEMORY", "STACKS", "TENSORS", "Recording", "ThreadRows", "Window"]


class Window:
    """One listener: opened at a moment, closed at another, read at any time in between. It listens until it is closed
    or nobody holds it any more."""

    _listens = False

    def __init__(self, wants: int = CALLS, limit: Limit | None = None, journal: Journal | None = None):
        self.wants = wants | CALLS
        self.limit, self.journal = limit, journal
        self.thread = rows.current_thread()
        self._marks: dict[int, tuple[int, int, int]] = {}
        self._context: dict[int, list[int]] = {}
        self.start_ns = self.end_ns = self.start_bytes = self._refused = self._hidden = self._cpu_ns = 0
        self._closed: Recording | None = None
        self.when_left: Callable[[], None] | None = None  # told when it listens no more

    def __del__(self) -> None:
        if self._listens:
            self.abandon()

    def open(self) -> Window:
        """Listen from now on; an open that fails has not happened."""
        with _lock:
            _close_abandoned()
            try:
                self._open()
            except BaseException:
                self._leave_unread()
                raise
        return self

    @uninterrupted
    def _open(self) -> None:
        if not _open_windows:
            names.take(), inputs.take()  # what threads left behind that did not know of the last window's end
        if self.wants & MODULES and not wanted() & MODULES:
            watch.forget_paths()
        self._listens = True
        _open_windows.append(weakref.ref(self))
        _listen()
        self._begin()
        if self.wants & STACKS and watch.state.running:  # calls that are rows already belong to this window too
            self._context = {thread: [n for n in reversed(logs.open_rows(thread)) if n < end[0]]
                             for thread, end in self._marks.items()}
        _trace()

    def _leave(self) -> None:
        """Listen no more; as often as wanted."""
        _open_windows[:] = [ref for ref in _open_windows if ref() is not None and ref() is not self]
        _trace()
        _listen()
        if self._listens and self.when_left is not None:
            self.when_left()
        self._listens = False

    def _leave_unread(self) -> None:
        """Listen no more, and nobody will read what there is."""
        self._leave()
        if self.journal is not None:
            self.journal.let_go()

    def _begin(self) -> None:
        """From here on: what was recorded until now is before the window."""
        self._context = {}
        if self.limit is not None:
            self.limit.begin()
        self.start_ns, self._refused = rows.now_ns(), rows.refused()
        self._hidden, self._cpu_ns = tracer.hidden_calls(), time.process_time_ns()
        self.start_bytes, self._marks = logs.standing()
        if self.journal is not None:
            self.journal.begin(self.start_ns, self.start_bytes, self._marks)
            flusher.run(_flush_journals)

    @uninterrupted
    def close(self) -> Recording:
        """Stop listening and hand out what was recorded; a second call hands out the same."""
        with _lock:
            if self._closed is None:
                try:
                    self._leave()
                    if self.journal is not None:
                        self.journal.finish()
                    with _words_stay():
                        self._closed = self._read(last=not _open_windows)
                except BaseException:
                    self._leave()
                    raise
                self.end_ns = self._closed.end_ns
            _close_abandoned()
        return self._closed

    def abandon(self) -> None:
        """Stop listening: nobody is left who could read. The garbage collector may call this in the middle of anything;
        if that is something of the recorder's, the window is closed after it."""
        _abandoned.append(self)
        if not _is_at_work():
            with _if_free(_lock) as is_mine:
                if is_mine:
                    _close_abandoned()

    @uninterrupted
    def snapshot(self) -> Recording:
        """What has been recorded so far; recording goes on."""
        with _lock:
            if self._closed is not None:
                return self._closed
            try:
                with _words_stay():
                    return self._read(last=False)
            finally:
                _close_abandoned()

    def _read(self, last: bool) -> Recording:
        """All threads' rows up to now; the last listener gets the buffers themselves, others copies.

        Other threads go on meanwhile: where they stand and what they have open is noted first, then the time.
        """
        refused, ends = rows.refused(), logs.marks()
        unfinished = {index: [n for n in logs.open_rows(index) if n < end[0]] for index, end in ends.items()}
        end_ns = rows.latest_ns()
        spilled = self.limit is not None and self.limit.spills and self.journal is not None
        threads = self._of_journal(ends, end_ns) if spilled else self._of_logs(ends, unfinished, end_ns, last)
        recorded = refused - self._refused + sum(end[0] - self._marks.get(index, (0, 0, 0))[0]
                                                 for index, end in ends.items())
        if self.limit is not None:
            threads = self.limit.trimmed(threads)
        dropped = recorded - sum(len(thread.rows) for thread in threads)
        threads = [_with_context(part, self._context[part.index], self.start_ns, end_ns)
                   if self._context.get(part.index) else part for part in threads]
        words = self._words(threads, last, spilled)
        if last:
            logs.clear()
        return Recording(self.start_ns, end_ns, clock.wall_offset_ns(), os.getpid(), self.start_bytes, threads,
                         *words, dropped, tracer.hidden_calls() - self._hidden, time.process_time_ns() - self._cpu_ns)

    def _of_logs(self, ends: dict, unfinished: dict[int, list[int]], end_ns: int, last: bool) -> list[ThreadRows]:
        """What the threads' logs hold."""
        threads = []
        for index, end in ends.items():
            mark = self._marks.get(index, (0, 0, 0))
            if end == mark and index not in self._context:
                continue
            whole = last and logs.begins_at(index, mark) and not self._context
            first, of_thread, memory, tensors = logs.take(index, end) if whole else logs.read(index, mark, end)
            _end(of_thread, [number - first for number in unfinished[index] if number >= first], end_ns)
            if len(of_thread) or len(memory) or self._context.get(index):
                threads.append(ThreadRows(index, *logs.thread_facts(index), first, of_thread, memory, tensors, index))
        return threads

    def _of_journal(self, ends: dict, end_ns: int) -> list[ThreadRows]:
        """What was moved to disk: all of it, but for what the disk did not take."""
        self.journal.flush()
        on_disk = threads_in(self.journal.files)
        living = {(index, logs.life(index)) for index, end in ends.items() if end != self._marks.get(index)}
        threads = []
        for (index, life), number in numbered([*on_disk, *sorted(living - on_disk.keys())]):
            stored, stop, rest = on_disk.get((index, life), OnDisk()), (None, None, None), (0, None, None, None)
            if (index, life) in living:
                stop, rest = ends[index], self.journal.rest(index, ends[index])
                stored.os_id, stored.name = logs.thread_facts(index)
                _end(rest[1], np.flatnonzero(rest[1]["end_ns"] == 0), end_ns)
            open_ends = {number: (end_ns, UNFINISHED) if ended_ns is None else (ended_ns, 0)
                         for number, ended_ns in self.journal.open_rows(index, life).items()}
            of_thread = stored.array(ROWS, stop[0], rest[1], open_ends)
            threads.append(ThreadRows(number, stored.os_id, stored.name,
                                      of_thread.first if stored.pieces[ROWS] else rest[0], of_thread,
                                      stored.array(MEMORY_ROWS, stop[1], rest[2]),
                                      stored.array(GIVEN, stop[2], rest[3]), index))
        return [thread for thread in threads if len(thread.rows) or len(thread.memory)]

    def _words(self, threads: list[ThreadRows], last: bool, spilled: bool) -> tuple[Vocabulary, Vocabulary, Objects]:
        """The names, inputs and objects of these rows: the last window takes all there are, others copy their own."""
        known = watch.state.objects
        if last:
            named, described, modules = names.take(), inputs.take(), known.modules
        elif spilled:  # rows on disk are not read for this
            named, described, modules = names.copy(), inputs.copy(), known.modules.copy()
        else:
            parts = [thread.rows for thread in threads]
            used = unused_words.numbers_in(parts, "name")
            named, described = names.copy(used), inputs.copy(unused_words.numbers_in(parts, "inputs"))
            modules = {number: facts for number, facts in known.modules.copy().items() if number in used}
        optimizers = known.optimizers if last else known.optimizers.copy()
        if not spilled:
            return Vocabulary(named, names.declared), Vocabulary(described), Objects(modules, optimizers)
        journal = self.journal  # which lives as long as somebody may read from it
        return (Vocabulary(named, names.declared, lambda: words_in(journal.files).names),
                Vocabulary(described, on_disk=lambda: words_in(journal.files).inputs),
                Objects(modules, optimizers, lambda: words_in(journal.files)))


def _flush_journals() -> bool:
    """Have what is new in open recordings written to their journals; False if there are none."""
    with _lock:
        journals = [window.journal for window in _listeners() if window.journal is not None]
        for journal in journals:
            journal.flush()
        if not journals:
            flusher.ended()  # while nobody can begin a journal
        return bool(journals)


@uninterrupted
def write_devices() -> None:
    """Have what devices did written by profiles that spill and have no room for more, unless the recorder itself is at
    work; then it is tried again when more comes."""
    if _lock._is_owned():
        return
    with _if_free(_lock, PATIENCE_S) as is_mine:
        for window in _listeners() if is_mine else ():
            if window.journal is not None:
                window.journal.write_devices()


def _forget_unused_words() -> None:
    """Forget words that no row uses, unless a window is opened, read or closed just now."""
    with _if_free(_lock) as is_mine:
        if is_mine:
            unused_words.forget()


@contextmanager
def _if_free(lock, patience_s: float = 0.0) -> Iterator[bool]:
    """Hold a lock unless another thread does; an exception at any line leaves it free."""
    is_mine = False
    try:
        is_mine = lock.acquire(timeout=patience_s)
        yield is_mine
    finally:
        if is_mine:
            lock.release()


@contextmanager
def _words_stay() -> Iterator[None]:
    """Forget none while rows are read."""
    names.when_many = inputs.when_many = None
    try:
        yield
    finally:
        names.when_many = inputs.when_many = _forget_unused_words


names.when_many = inputs.when_many = _forget_unused_words
_lock = new_lock()
_open_windows: list[weakref.ref[Window]] = []
_abandoned: list[Window] = []
when_wanted: list[Callable[[int], None]] = []  # told what is wanted whenever windows open or close


def _is_at_work() -> bool:
    """Whether this thread is in the middle of another function of this file."""
    frame, not_at_work = sys._getframe(), {_is_at_work.__code__, Window.abandon.__code__, Window.__del__.__code__}
    while frame is not None and (frame.f_code.co_filename != __file__ or frame.f_code in not_at_work):
        frame = frame.f_back
    return frame is not None


def _close_abandoned() -> None:
    while _abandoned:
        _abandoned.pop()._leave_unread()
        if not _open_windows:
            logs.clear()


def _end(of_thread: np.ndarray, places: Sequence[int], end_ns: int) -> None:
    """Let open rows end with the window; Python's own calls are expected to go on."""
    for place in places:
        of_thread["end_ns"][place] = end_ns
        if of_thread["scope"][place] < PYTHON_CALL:
            of_thread["flags"][place] |= UNFINISHED


def _with_context(part: ThreadRows, numbers: list[int], start_ns: int, end_ns: int) -> ThreadRows:
    """The rows with the Python calls before them that were open when the window opened, cut to the window."""
    _, before, _, _ = logs.read(part.log, (numbers[0], 0, 0), logs.marks()[part.log])
    at = np.array(numbers) - numbers[0]
    at = at[before["scope"][at] >= PYTHON_CALL]
    kept, numbers = before[at], at + numbers[0]
    kept["start_ns"] = start_ns
    kept["end_ns"] = np.where(kept["end_ns"] == 0, end_ns, np.minimum(kept["end_ns"], end_ns))
    kept["back"] = 1
    own = part.rows[:]  # an array, also where they lie on disk
    place = np.arange(len(own))
    parent = part.first + place - own["back"].astype(np.int64)
    outside = (own["back"] > 0) & (parent < part.first)
    # The nearest kept ancestor that had not ended, counted from 1; 0 is none, and never ends.
    among, ends = np.searchsorted(numbers, parent[outside], side="right"), np.append(kept["end_ns"], end_ns)
    while (ended := ends[among - 1] < own["start_ns"][outside]).any():
        among[ended] -= 1
    own["back"][outside] = np.where(among > 0, place[outside] + len(kept) - (among - 1), 0)
    return replace(part, first=part.first - len(kept), rows=np.concatenate([kept, own]))


def _listeners() -> list[Window]:
    return [window for ref in _open_windows if (window := ref()) is not None]


def wanted() -> int:
    """What the open windows want together."""
    want = 0
    for window in _listeners():
        want |= window.wants
    return want


def _listen() -> None:
    rows.listen(wanted())
    for tell in when_wanted:
        tell(wanted())
    _limit()


def _limit() -> None:
    """Bound the buffers as the only open window wants it; of several, none may drop what another listens to."""
    listeners = _listeners()
    if len(listeners) == 1 and listeners[0].limit is not None:
        listeners[0].limit.apply(_lock, listeners[0].journal)
    else:
        rows.limit(0, 0, 0, None)


def _trace() -> None:
    """Start or stop what looks at Python itself, as the open windows want it."""
    want = wanted()
    if bool(want & STACKS) != watch.state.running:
        watch.begin() if want & STACKS else watch.end()
        tracer.start() if want & STACKS else tracer.stop()
    garbage.watch(bool(want & COLLECTIONS))


def leave_inherited() -> None:
    """In a forked child that nobody will ask for what it records: windows that the parent opened listen no more."""
    with _lock:
        for window in _listeners():
            window._leave_unread()
        logs.clear()


def _after_fork() -> None:
    """A child records its own: open windows begin anew in it, and what was recorded is the parent's to keep."""
    names.when_many = inputs.when_many = _forget_unused_words
    logs.after_fork()
    for window in _listeners():
        if window.journal is not None and not window.journal.serves_child:
            window.journal.let_go()
            window.journal = None
        try:
            window._begin()
        except OSError:
            window.journal = None  # the child's rows stay in memory, within the window's limit
    if watch.state.running:
        tracer.stop()
        tracer.start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
