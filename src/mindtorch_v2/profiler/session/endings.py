"""Profiles that still run when the process ends: they are stopped in time, so that their handlers get what there is.

Python would end without a word at exit, and on a signal such as SIGTERM at once. Here profiles that were never stopped
are stopped at exit. While one with something to save runs, a thread waits for signals that end the process: it stops
the profiles, waits for handlers that are at work on other threads, and then lets the signal end the process. Where the
program itself answers or ignores a signal, that is left alone. ``os._exit`` and SIGKILL leave no time for anything.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import traceback
import weakref
from collections import deque
from functools import partial
from typing import NamedTuple

from ...core.user_warning import Line, users_line, warn_user
from ...record import signals
from ...record.locks import new_lock

# Signals that end a process unless it answers them, and that others send to have it ended.
FATAL = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGUSR1", "SIGUSR2", "SIGALRM")
         if hasattr(signal, name)]
MOST_INTERRUPTED = 4


class Running(NamedTuple):
    """A profile that runs: held only if it has something to save, since then it need not be held by anybody else."""

    profile: weakref.ref
    held: object | None
    pid: int
    begun_at: Line | None  # by the user


_registry = new_lock()
_running: dict[int, Running] = {}
# Profiles whose handler was broken off by Ctrl-C, to be handed over once more when the process ends.
_interrupted: deque = deque(maxlen=MOST_INTERRUPTED)
_saving = new_lock()  # held while profiles are stopped because the process ends
_came: int | None = None  # the signal that is to end the process
_pipe: tuple[int, int] | None = None
_pipe_pid = _finalized_pid = 0


def begins(prof) -> None:
    """A profile runs from now on."""
    key, saves = id(prof), prof.on_trace_ready is not None or prof.execution_trace_observer is not None
    with _registry:
        _running[key] = Running(weakref.ref(prof, lambda _: _running.pop(key, None)), prof if saves else None,
                                os.getpid(), users_line())
        if saves:
            _catch_signals()
    _end_with_child_process()


def ends(prof) -> None:
    """The profile has been stopped, and handed over."""
    with _registry:
        _running.pop(id(prof), None)
        if not any(running.held and running.pid == os.getpid() for running in _running.values()):
            signals.release(FATAL)


def interrupted(prof) -> None:
    """The profile's handler was broken off."""
    _interrupted.append((prof, os.getpid()))


def is_killed() -> bool:
    """Whether a signal is about to end the process."""
    return _came is not None


@atexit.register
def _at_exit() -> None:
    with _saving:  # if a signal is being answered, the process ends here
        try:
            _save_all()
        finally:
            if _came is not None:
                signals.die(_came)


def _save_all() -> None:
    """Stop what this process started; what it inherited from its parent is the parent's to hand over."""
    endings = [partial(_stop, prof, running.begun_at) for running in list(_running.values())
               if (prof := running.profile()) is not None and running.pid == os.getpid()]
    while _interrupted:
        prof, pid = _interrupted.popleft()
        if pid == os.getpid():
            endings.append(prof._hand_over_again)
    failure = None
    for end in endings:
        try:
            end()
        except BaseException as raised:  # a handler's, or a warning that is to be an error: the others are saved first
            failure = failure or raised
    if failure is not None:
        raise failure


def _stop(prof, begun_at: Line | None) -> None:
    said = "A profile was still running when the program ended. It was stopped"
    try:
        if not prof._stop_if_running():
            return  # another thread was about to
        n = 0 if prof.profiler is None else len(prof.events())
        said += f" with {n} events" + (", which nobody will read" if prof.on_trace_ready is None else "")
    except BaseException as failure:
        said += f", but {type(failure).__name__}: {failure}"
    warn_user(f"{said}. Call stop(), or use `with profile(...)`.", otherwise=begun_at)


def _end_with_child_process() -> None:
    """Children that multiprocessing forks end without atexit, but with finalizers of their own."""
    global _finalized_pid
    process = sys.modules.get("multiprocessing.process")
    if process is not None and process.parent_process() is not None and _finalized_pid != os.getpid():
        from multiprocessing.util import Finalize
        _finalized_pid = os.getpid()
        Finalize(None, _at_exit, exitpriority=0)


def _catch_signals() -> None:
    """Have fatal signals told to a thread that waits for them; without room for one they end the process at once."""
    global _pipe, _pipe_pid
    if _pipe_pid != os.getpid():
        try:
            if _pipe is not None:  # the parent's
                os.close(_pipe[0])
                os.close(_pipe[1])
            _pipe = None
            _pipe = os.pipe()
            os.set_blocking(_pipe[1], False)
            # Not a threading.Thread, which Python would list among the program's own.
            _thread.start_new_thread(_answer_signals, (_pipe[0],))
        except (OSError, RuntimeError):
            return
        _pipe_pid = os.getpid()
    signals.catch(FATAL, _pipe[1])


def _answer_signals(pipe: int) -> None:
    global _came
    while True:
        _came, = os.read(pipe, 1)
        with _saving:
            try:
                _save_all()
            except BaseException:
                traceback.print_exc()
            signals.die(_came)  # returns only where the kernel spares the process, as the first one of a container
        _came = None
