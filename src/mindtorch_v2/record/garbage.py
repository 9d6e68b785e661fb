"""Garbage collections as rows, on the thread that Python happens to collect on."""

from __future__ import annotations

import gc

from . import rows
from .layout import GARBAGE_COLLECTION
from .names import names

NAME = names.declare("Python GC")  # a collection may come while names are being added
_open: list[int] = []


def watch(wanted: bool) -> None:
    """Begin or cease to record collections."""
    if wanted and _on_collection not in gc.callbacks:
        gc.callbacks.append(_on_collection)
    elif not wanted and _on_collection in gc.callbacks:
        gc.callbacks.remove(_on_collection)
        _open.clear()


def _on_collection(phase: str, info: dict) -> None:
    if phase == "start":
        _open.append(rows.open_range(NAME, GARBAGE_COLLECTION))
    elif _open:
        rows.close_range(_open.pop())
