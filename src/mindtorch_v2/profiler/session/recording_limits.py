"""How much a profile may hold in memory, and what happens to the rest."""

from __future__ import annotations

import os
from typing import NamedTuple

from ...record.layout import MEMORY, ROW
from ...record.overflow import AT_ONCE, CHANGES_PER_ROW, POLICIES


class RecordingLimits(NamedTuple):
    """At most so many events (0: any number); beyond them the policy. What goes to disk goes into the folder."""

    events: int
    overflow: str
    crash_safe: bool = False
    folder: str | None = None

    @classmethod
    def of(cls, max_events: int | None, max_bytes: int | None, overflow: str, profile_memory: bool,
           crash_safe: bool, folder: str | os.PathLike | None) -> RecordingLimits:
        """The user's wishes, checked; of two limits the tighter one holds."""
        if overflow not in POLICIES:
            raise ValueError(f"overflow should be one of {POLICIES}, but got {overflow!r}")
        given = {"max_events": max_events, "max_bytes": max_bytes}
        for name, value in given.items():
            if value is not None and value <= 0:
                raise ValueError(f"{name} should be positive, but got {value}; leave it out to keep everything")
        limits = [] if max_events is None else [max_events]
        if max_bytes is not None:
            limits.append(max(1, max_bytes // bytes_per_event(profile_memory)))
        if not limits and overflow == "spill":
            limits.append(AT_ONCE)
        if folder is not None and overflow != "spill" and not crash_safe:
            raise ValueError("folder says where a profile is written while it records: give it with "
                             "overflow='spill' or crash_safe=True")
        return cls(min(limits, default=0), overflow, bool(crash_safe), None if folder is None else os.fspath(folder))


UNLIMITED = RecordingLimits(0, "newest")


def bytes_per_event(profile_memory: bool) -> int:
    """What an event takes: its row, and the changes of memory that may stand beside it."""
    return ROW.itemsize + (CHANGES_PER_ROW * MEMORY.itemsize if profile_memory else 0)
