"""Python's calls as rows, in plain Python: the reading of tracer.pyx, used where nothing is compiled.

Python tells a profile function of every call and return. A call becomes a row like any other, so an op's Python stack
is its chain of parents. No frame is kept: a row holds the number of a name.
"""

from __future__ import annotations

import sys
import threading

from . import calls, rows
from .layout import C_CALL, LINE_BASE, NO_LINE, PYTHON_CALL
from .names import names

# The open calls of a thread: a row's handle, or one of these for a call that is not shown.
HIDDEN_CALL, HIDDEN_C_CALL = -2, -1

_session = _n_hidden = 0
_running = False
_names: dict = {}  # by the address of a code, which is held: its number and itself
MOST_NAMED = 1 << 17  # then all are named anew: code that is gone is not kept for ever
_before = (None, None)


def start() -> None:
    """Trace this thread and those that start from now on, beginning with the frames that are on the stack.

    Python below 3.12 lets nobody but C hook into other threads.
    """
    global _session, _running, _before
    _session += 1
    _running = True
    _adopt(rows.log_of_thread(), sys._getframe())
    _before = sys.getprofile(), threading.getprofile()
    threading.setprofile(_on_event)
    sys.setprofile(_on_event)


def stop() -> None:
    """Trace no more; calls that are still open end now."""
    global _running
    _running = False
    sys.setprofile(_before[0])
    threading.setprofile(_before[1])
    for log in rows._logs:
        while log.calls:
            rows.close_row(log.calls.pop())
    forget()


def hidden_calls() -> int:
    """How many calls were not shown, ever."""
    return _n_hidden


def forget() -> None:
    """Names that are seen again are asked for again."""
    _names.clear()


names.when_forgotten.append(forget)


def _on_event(frame, event, argument) -> None:
    if not _running:
        return
    log = rows.log_of_thread()
    if log.session != _session:
        _adopt(log, frame)
        if event == "call":
            return  # it was on the stack just adopted
    if event == "call":
        log.calls.append(_open(log, _told(log, _named(frame.f_code)), PYTHON_CALL, HIDDEN_CALL, frame.f_back))
    elif event == "return":
        while log.calls and _is_c(log, log.calls[-1]):
            rows.close_row(log.calls.pop())
        if log.calls:
            rows.close_row(log.calls.pop())
    elif event == "c_call":
        inside_hidden = bool(log.calls) and log.calls[-1] in (HIDDEN_CALL, HIDDEN_C_CALL)
        name = -1 if inside_hidden else _unless_it_fails(calls.builtin_name, argument)
        log.calls.append(_open(log, name, C_CALL, HIDDEN_C_CALL, frame))
    elif log.calls and _is_c(log, log.calls[-1]):  # a C call entered before the profile returns without a row
        rows.close_row(log.calls.pop())


def _adopt(log, frame) -> None:
    """Rows for the frames that were on a thread's stack before it was traced, with the lines they are at."""
    log.session = _session
    log.calls.clear()
    stack = []
    while frame is not None:
        stack.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    for code, line in reversed(stack):
        name = _told(log, _unless_it_fails(calls.code_name, code, line))
        log.calls.append(_open(log, name, PYTHON_CALL, HIDDEN_CALL))


def _open(log, name: int, scope: int, hidden: int, caller=None) -> int:
    """A row that keeps the line it is called from, unless the caller is not shown."""
    global _n_hidden
    if name < 0:
        _n_hidden += 1
        return hidden
    known = caller is not None and log.calls and log.calls[-1] >= 0
    return rows.open_in(log, name, scope, LINE_BASE - (caller.f_lineno or 0) if known else NO_LINE, -1, 0)


def _named(code) -> int:
    known = _names.get(id(code))
    if known is None:
        if len(_names) >= MOST_NAMED:
            forget()
        number = _unless_it_fails(calls.code_name, code)  # which may itself forget
        known = _names[id(code)] = number, code
    return known[0]


def _unless_it_fails(name, *of) -> int:
    """The number of a name; the profiled program is not to hear of one that cannot be found out."""
    try:
        return name(*of)
    except Exception:
        return -1


def _told(log, name: int) -> int:
    """The name to show; -1 for a quiet function that a hidden one calls."""
    if name < 0 or not name & calls.QUIET:
        return name
    return -1 if log.calls and log.calls[-1] < 0 else name & ~calls.QUIET


def _is_c(log, handle: int) -> bool:
    if handle < 0:
        return handle == HIDDEN_C_CALL
    row = log.row(handle & rows.NUMBER)
    return row is not None and row[7] == C_CALL
