"""Profiles that still run when the process ends: they are stopped in time, so that their handlers get what there is.

Python would end without a word at exit, and on SIGTERM at once. Here a profile that was never stopped is stopped at
exit. While one with a handler runs, SIGTERM does the same first and then ends the process as it always does; where
the program has its own answer to SIGTERM, that is left alone. ``os._exit`` and SIGKILL leave no time for anything.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import warnings
from contextlib import contextmanager

_running: dict[int, tuple] = {}  # id of a profile: the profile, and the process that started it
_in_transition: list[bool] = []
_answering = False
_told_to_end = False


def begins(prof) -> None:
    """A profile runs from now on."""
    _running[id(prof)] = prof, os.getpid()
    if prof.on_trace_ready is not None:
        _answer_sigterm()
    _end_with_child_process()


def ends(prof) -> bool:
    """The profile is about to be stopped; false if that has been done already, perhaps on another thread."""
    was_running = _running.pop(id(prof), None) is not None
    if _answering and not _running:
        _answer_sigterm_no_more()
    return was_running


@contextmanager
def transition():
    """Here a profile changes its state, or its handler writes a file: a SIGTERM waits until that is done."""
    _in_transition.append(True)
    try:
        yield
    finally:
        _in_transition.pop()
        if _told_to_end and not _in_transition:
            _end_process()


@atexit.register
def _stop_all() -> None:
    """Stop what this process started; what it inherited from its parent is the parent's to hand over."""
    for prof, pid in list(_running.values()):
        if pid == os.getpid():
            _stop(prof)


def _stop(prof) -> None:
    said = "A profile was still running when the program ended. It was stopped"
    try:
        prof.stop()
        n = 0 if prof.profiler is None else len(prof.events())
        said += f" with {n} events" + (", which nobody will read" if prof.on_trace_ready is None else "")
    except BaseException as failure:
        said += f", but {type(failure).__name__}: {failure}"
    warnings.warn(f"{said}. Call stop(), or use `with profile(...)`.", stacklevel=1)


def _end_with_child_process() -> None:
    """Children that multiprocessing forks end without atexit, but with finalizers of their own."""
    process = sys.modules.get("multiprocessing.process")
    if process is not None and process.parent_process() is not None:
        from multiprocessing.util import Finalize
        Finalize(None, _stop_all, exitpriority=0)


def _answer_sigterm() -> None:
    global _answering
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        _answering = True
        signal.signal(signal.SIGTERM, _sigterm)


def _answer_sigterm_no_more() -> None:
    """Unless another thread asks for that: only the main one may, and an answer without profiles is harmless."""
    global _answering
    if threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGTERM) is _sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _answering = False


def _sigterm(number, frame) -> None:
    global _told_to_end
    _told_to_end = True
    if not _in_transition:
        _end_process()


def _end_process() -> None:
    """What SIGTERM is for, after the profiles have been stopped."""
    global _told_to_end
    if threading.current_thread() is threading.main_thread():
        _told_to_end = False
        _stop_all()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)  # on another thread: once more, for the main thread to answer
