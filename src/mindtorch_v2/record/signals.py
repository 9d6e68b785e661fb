"""Signals that end the process by default, noted in a pipe instead: the reading of signals.pyx, used where nothing is
compiled. Python lets only the main thread set handlers, and runs them when the call that it is in has ended."""

from __future__ import annotations

import _signal
import os
import signal
import threading
from collections.abc import Callable, Iterable

NUMBERS = sorted(_signal.valid_signals())
_pipe = _catcher = _fatal = -1


def python_handlers() -> list[tuple[int, Callable]]:
    """Signals that a function of Python's answers, each with it; most are left to the default, which is a number."""
    return [(number, handler) for number, handler in zip(NUMBERS, [*map(_signal.getsignal, NUMBERS)])
            if type(handler) is not int and callable(handler)]


def catch(numbers: Iterable[int], pipe: int) -> None:
    """Write each of these signals that comes, as a byte, into a pipe; not those that the program answers or ignores."""
    global _pipe, _catcher
    _pipe, _catcher = pipe, os.getpid()
    for number in numbers:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _note)


def release(numbers: Iterable[int]) -> None:
    """Let signals end the process again, unless the program has set an answer since."""
    for number in numbers:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(number) is _note:
            signal.signal(number, signal.SIG_DFL)


def die(number: int) -> None:
    """End the process as the signal would have done, had nobody caught it; the main thread sees to that."""
    global _fatal
    _fatal = number
    os.kill(os.getpid(), number)


def _note(number: int, frame) -> None:
    if os.getpid() == _catcher and number != _fatal:
        os.write(_pipe, bytes([number]))
    else:  # in a forked child too: the profiles are its parent's, and it dies as it would have
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
