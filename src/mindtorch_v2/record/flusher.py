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
    """Call a function every half second as long as it says so, if that is not being done already."""
    global _runs_in
    if _runs_in != os.getpid():
        _runs_in = os.getpid()
        try:
            _thread.start_new_thread(_loop, (flush,))  # not a threading.Thread, which Python would list
        except RuntimeError:  # there is no room for one: journals are written when buffers are full, and at the end
            _runs_in = 0


def _loop(flush: Callable[[], bool]) -> None:
    global _runs_in
    rows.name_thread("profiler")
    while flush():
        time.sleep(PERIOD_S)
    _runs_in = 0
