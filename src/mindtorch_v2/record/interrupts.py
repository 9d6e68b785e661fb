"""Functions that are done before a signal handler written in Python runs.

Such a handler runs between any two lines of the main thread. It may raise there (Ctrl-C does), or call the profiler
that it interrupts. While a function of this kind runs, handlers wait: each signal that comes is noted, and answered by
the program's own handler when the function has ended. What is the default, ignored or answered in C stays as it is.
"""

from __future__ import annotations

import _signal
import sys
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType

from . import signals

_section: _Section | None = None


def uninterrupted(function: Callable) -> Callable:
    """The function, not to be interrupted by signal handlers."""

    @wraps(function)
    def whole(*args, **kwargs):
        global _section
        if not _on_main_thread() or (_section is not None and _section.is_held()):
            return function(*args, **kwargs)
        section, outer = _Section(), _section
        try:
            _section = section
            section.hold_back()
            return function(*args, **kwargs)
        finally:
            _section = outer
            section.end()

    return whole


def interruptible(function: Callable, *args):
    """Call the user's function from inside an uninterrupted one: signals that come now are answered at once."""
    section = _section
    if section is None or not _on_main_thread() or not section.is_held():
        return function(*args)
    section.give_back()
    try:
        return function(*args)
    finally:
        section.hold_back()


class _Section:
    """One call of an uninterrupted function: whose handlers wait, and which signals came."""

    def __init__(self):
        self._handlers: dict[int, Callable] = {}
        self._came: list[tuple[int, FrameType | None]] = []
        self._holds = False

    def hold_back(self) -> None:
        """Let handlers wait from now on."""
        for number, handler in signals.python_handlers():
            if handler != self._note:
                self._handlers[number] = handler
                _signal.signal(number, self._note)
        self._holds = True

    def give_back(self) -> None:
        """Let the program's own handlers stand again; one that raises at once does not stop the others."""
        self._holds, failure = False, None
        for number, handler in list(self._handlers.items()):
            while _signal.getsignal(number) == self._note:
                try:
                    _signal.signal(number, handler)
                except BaseException as raised:
                    failure = failure or raised
        if failure is not None:
            try:
                raise failure
            finally:
                failure = None  # its traceback holds this frame

    def end(self) -> None:
        """The function has ended: signals that came are answered now."""
        try:
            self.give_back()
        finally:
            self._answer()

    def _answer(self) -> None:
        """Call the handlers of the signals that came, all of them even if one raises."""
        if self._came:
            number, frame = self._came.pop(0)
            try:
                self._handlers[number](number, frame)
            finally:
                self._answer()

    def is_held(self) -> bool:
        """Whether handlers wait, and the call is really on the stack: what broke out of it may have come before they
        were given back."""
        frame = sys._getframe() if self._holds else None
        while frame is not None and not (frame.f_code is _CODE and frame.f_locals.get("section") is self):
            frame = frame.f_back
        return frame is not None

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came.append((number, frame))
        if not self.is_held():
            self.end()


_CODE = uninterrupted(len).__code__  # of all uninterrupted functions


def _on_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident
