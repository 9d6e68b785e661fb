"""The pass that a thread is in: what hooks may ask about it."""

from __future__ import annotations

import threading

from . import engine
from .anomaly import watching

_thread = threading.local()


def run(task, roots: list, grads: list) -> None:
    """Walk back, and let hooks find the task meanwhile."""
    before = getattr(_thread, "task", None)
    _thread.task = task
    try:
        with watching(task):
            engine.run(task, roots, grads)
    finally:
        _thread.task = before


def current():
    """The innermost pass of this thread."""
    return _thread.task


def will_run(task, node) -> bool:
    """Whether a pass has still to come to a node."""
    asked_for = task.needed is None or node in task.needed or (task.captures is not None and node in task.captures)
    return asked_for and node in task.waiting
