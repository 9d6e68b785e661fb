"""What recording costs, measured before a profile starts on an op that does next to nothing."""

from __future__ import annotations

import time
from typing import NamedTuple

from ...dispatch.aten import aten
from ...record import clock, rows
from ...record.layout import CALLS, INPUTS, OF_MEMORY
from ...record.recorder import Window

OPS, ROUNDS = 100, 8
_known: dict[int, float] = {}


class Overhead(NamedTuple):
    """Nanoseconds per event, and what they come to in this profile; ``share`` is of the time recorded."""

    ns_per_event: float
    events: int
    total_ns: float
    share: float


def calibrate(wants: int) -> None:
    """Measure once what these wishes cost; not while others listen, who would hear it, nor by another clock."""
    wants &= CALLS | INPUTS | OF_MEMORY
    if wants in _known or rows.is_listening() or clock.is_fake():
        return
    value = aten.ones([4, 4])
    plain, recorded = [], []
    for _ in range(ROUNDS):
        plain.append(_time_ns(value))
        window = Window(wants)
        try:
            window.open()
            recorded.append(_time_ns(value))
        finally:
            window.close()
    _known[wants] = max(_two_readings_ns(), (min(recorded) - min(plain)) / OPS)


def ns_per_event(wants: int) -> float:
    """What was measured; where nothing could be, the least it can be."""
    calibrate(wants)
    return _known.get(wants & (CALLS | INPUTS | OF_MEMORY)) or _two_readings_ns()


def _time_ns(value) -> int:
    start_ns = time.perf_counter_ns()
    for _ in range(OPS):
        aten.neg(value)
    return time.perf_counter_ns() - start_ns


def _two_readings_ns() -> float:
    """A row takes at least two readings of the clock."""
    start_ns = time.perf_counter_ns()
    for _ in range(OPS):
        time.monotonic_ns()
    return 2 * (time.perf_counter_ns() - start_ns) / OPS
