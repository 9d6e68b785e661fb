"""Memory records by time: those of an interval are found by bisection."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator


class MemRecordsAcc:
    """Pairs of a record (anything with ``start_ns()``) and a mark, looked up by when they happened."""

    __module__ = "mindtorch_v2.autograd.profiler_util"

    def __init__(self, mem_records):
        self._mem_records = mem_records
        order = sorted((record[0].start_ns(), i) for i, record in enumerate(mem_records))
        self._start_nses, self._indices = zip(*order) if order else ([], [])

    def in_interval(self, start_ns, end_ns) -> Iterator:
        """The records from ``start_ns`` to ``end_ns``, both included, in order of time."""
        for at in range(bisect_left(self._start_nses, start_ns), bisect_right(self._start_nses, end_ns)):
            yield self._mem_records[self._indices[at]]
