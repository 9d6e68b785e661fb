"""Small searches that torch's tools share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_SOURCE = re.compile(r"\.py\(.*\)")
NO_SOURCE = "No source code location found"


def index_of_first_match(seq: Sequence, predicate: Callable, start: int = 0, end: int | None = None) -> int | None:
    """Where the first item is that fits, or None."""
    stop = len(seq) if end is None else end
    return next((i for i in range(start, stop) if predicate(seq[i])), None)


def argmax(seq: Sequence, key: Callable = lambda value: value, start: int = 0, end: int | None = None) -> int | None:
    """Where the first of the largest items is, or None if there is none."""
    return max(range(start, len(seq) if end is None else end), key=lambda i: key(seq[i]), default=None)


def source_code_location(event) -> str:
    """The Python function around an event, as ``file.py(12): f``."""
    while event is not None:
        if _SOURCE.search(event.name):
            return event.name
        event = event.parent
    return NO_SOURCE
