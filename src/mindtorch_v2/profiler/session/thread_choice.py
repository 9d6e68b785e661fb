"""profile(threads=...): which threads a profile shows."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ..table.event_table import Thread

CURRENT, ALL = "current", "all"


class ThreadChoice:
    """Threads by object, by number (Python's or the system's) or by name; ``"current"`` is the one that starts.

    ``"all"`` is every thread, as where nothing is said.
    """

    def __init__(self, threads):
        given = [threads] if isinstance(threads, (str, int, threading.Thread)) else threads
        if not isinstance(given, Iterable):
            raise TypeError(f"threads should be 'all', 'current', a thread, its number or its name, or a list of "
                            f"these, but got {type(threads).__name__}")
        given = list(given)
        for one in given:
            if not isinstance(one, (str, int, threading.Thread)) or isinstance(one, bool):
                raise TypeError(f"threads should hold threads, their numbers or their names, but got {one!r}")
        self._names = {one for one in given if isinstance(one, str)} - {CURRENT, ALL}
        self._threads = [one for one in given if isinstance(one, threading.Thread)]
        by_ident = {thread.ident: thread.native_id for thread in threading.enumerate()}
        self._numbers = {by_ident.get(one, one) for one in given if isinstance(one, int)}
        self._is_current, self._are_all = CURRENT in given, ALL in given

    def __getstate__(self) -> dict:
        """For pickle: elsewhere threads are known by their numbers and names."""
        numbers = self._numbers | {thread.native_id for thread in self._threads if thread.native_id is not None}
        return {**vars(self), "_threads": [], "_numbers": numbers,
                "_names": self._names | {thread.name for thread in self._threads if thread.native_id is None}}

    def begin(self) -> None:
        """Recording starts, on this thread."""
        if self._is_current:
            self._numbers.add(threading.get_native_id())

    def holds(self, thread: Thread) -> bool:
        """Whether a recorded thread is among them; one that was given before it started is known by now."""
        return self._are_all or thread.name in self._names or thread.os_id in self._numbers or \
            any(one.native_id == thread.os_id for one in self._threads)
