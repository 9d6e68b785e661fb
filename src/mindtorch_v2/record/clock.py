"""The clock every row is stamped with; a test may put its own in place."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager

from . import rows

_fakes = 0


@contextmanager
def fake(now_ns: Callable[[], int]):
    """Stamp rows with ``now_ns()`` instead of the machine's clock."""
    global _fakes
    rows.set_clock(now_ns)
    _fakes += 1
    try:
        yield
    finally:
        _fakes -= 1
        rows.set_clock(None)


def is_fake() -> bool:
    """Whether rows are stamped by another clock than the machine's."""
    return _fakes > 0


def wall_offset_ns() -> int:
    """What to add to a row's time to get time since the epoch."""
    return time.time_ns() - time.monotonic_ns()
