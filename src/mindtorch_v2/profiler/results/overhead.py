"""What recording cost, as a profile tells it."""

from __future__ import annotations

from typing import NamedTuple


class Overhead(NamedTuple):
    """Nanoseconds per event, and what they come to in this profile; ``share`` is of the time recorded."""

    ns_per_event: float
    events: int
    total_ns: float
    share: float
