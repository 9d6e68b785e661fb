"""The recorder's clock under torch's names."""

from __future__ import annotations

from ...record import clock, rows


def _get_approximate_time() -> int:
    """What events are stamped with; here it counts nanoseconds."""
    return rows.now_ns()


class _ApproximateClockToUnixTimeConverter:
    """Turns stamps into nanoseconds since the epoch."""

    def __init__(self):
        self._offset_ns = clock.wall_offset_ns()

    def to_unix_ns(self, stamp: int) -> int:
        return stamp + self._offset_ns
