"""A thread that has journals written every half second, so that a process that is killed loses no more than that."""

from __future__ import annotations

import _thread
import os
import time
from collections.abc import Callable

from . import rows

PERIOD_S = 0.5
_runs_in = 0  # the process in which the thread runs: a forked child has none


def run(flush: Callable[[], bool]) -> None:
    """Call a function every half second as long as it says so, if that is not being done already.

    Before it says no it has to call ``ended``, under the lock under which this is called.
    """
    global _runs_in
    if _runs_in != os.getpid():
        _runs_in = os.getpid()
        try:
            _thread.start_new_thread(_loop, (flush,))  # not a threading.Thread, which Python would list
        except RuntimeError:  # there is no room for one: journals are written when buffers are full, and at the end
            _runs_in = 0


def ended() -> None:
    """There is nothing to write: the thread ends, and the next journal needs another."""
    global _runs_in
    _runs_in = 0


def _loop(flush: Callable[[], bool]) -> None:
    rows.name_thread("profiler")
    while _goes_on(flush):
        time.sleep(PERIOD_S)


def _goes_on(flush: Callable[[], bool]) -> bool:
    try:
        return flush()
    except Exception:
        return True  # there may be memory again next time
