"""A device's clock against the host's: two readings, and everything between them brought onto the host's clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import rows

MOST_NS = 1 << 61  # on any clock, so that times can be subtracted
TRIES = 5  # a reading is as exact as the host needs to ask for it: of several, the quickest
FASTEST, SLOWEST = 2.0, 0.5  # a clock that gained or lost so much between two readings was set, and not only drifting


class Reading(NamedTuple):
    """Both clocks at one moment; the moment is known to half the time that asking took."""

    host_ns: int
    device_ns: int
    error_ns: int


def read(clock_ns: Callable[[], int]) -> Reading:
    """Ask a device for its time."""
    readings = []
    for _ in range(TRIES):
        before_ns = rows.now_ns()
        device_ns = int(clock_ns())
        after_ns = rows.now_ns()
        if not -MOST_NS <= device_ns <= MOST_NS:
            raise ValueError(f"it shows {device_ns} ns")
        readings.append(Reading((before_ns + after_ns) // 2, device_ns, (after_ns - before_ns + 1) // 2))
    return min(readings, key=lambda reading: reading.error_ns)


def host_times(start_ns: np.ndarray, end_ns: np.ndarray, launch_ns: np.ndarray, first: Reading | None,
               last: Reading | None) -> tuple[np.ndarray, np.ndarray]:
    """Starts and ends of what a device ran, on the host's clock; nothing begins before it was launched.

    Between two readings the device's clock is taken to drift evenly. Of a device that does not tell its time only the
    launches are known: its times are moved as little as they allow.
    """
    known = first or last
    if known is None:
        later_ns = int((launch_ns - start_ns).max(initial=np.iinfo(np.int64).min)) if len(start_ns) else 0
        return start_ns + later_ns, end_ns + later_ns
    gained = _rate(first, last) - 1.0
    started_ns, ended_ns = (_moved(times, known, gained) for times in (start_ns, end_ns))
    error_ns = max(reading.error_ns for reading in (first, last) if reading is not None)
    later_ns = min(max(int((launch_ns - started_ns).max(initial=0)), 0), error_ns)
    started_ns = np.maximum(started_ns + later_ns, launch_ns)
    return started_ns, np.maximum(ended_ns + later_ns, started_ns)


def _rate(first: Reading | None, last: Reading | None) -> float:
    """Nanoseconds of the host in one of the device; 1 where there is no telling."""
    if first is None or last is None or last.device_ns <= first.device_ns:
        return 1.0
    rate = (last.host_ns - first.host_ns) / (last.device_ns - first.device_ns)
    return rate if SLOWEST < rate < FASTEST else 1.0


def _moved(device_ns: np.ndarray, known: Reading, gained: float) -> np.ndarray:
    since_ns = device_ns - known.device_ns
    return known.host_ns + since_ns + np.rint(since_ns * gained).astype(np.int64)
