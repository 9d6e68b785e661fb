"""A device's times on the host's clock: skewed, drifting, unreadable; and buffers that do not grow."""

from __future__ import annotations

import numpy as np
import pytest

from mindtorch_v2.record import clock, device_clock
from mindtorch_v2.record.bounded_rows import BoundedRows
from mindtorch_v2.record.device_clock import Reading, host_times

ROW = np.dtype([("n", "i8"), ("name", "i4")])


def times(*pairs: tuple[int, int], launch_ns: int = 0) -> tuple[np.ndarray, ...]:
    starts, ends = np.array(pairs, np.int64).T
    return starts, ends, np.full(len(pairs), launch_ns, np.int64)


@pytest.mark.parametrize("offset_ns", [-10**15, -7, 0, 7, 10**15])
@pytest.mark.parametrize("rate", [0.999, 1.0, 1.001])
def test_a_clock_that_is_off_and_drifts_evenly_is_corrected_to_the_nanosecond(offset_ns, rate):
    def device(host_ns: int) -> int:
        return offset_ns + round(host_ns * rate)

    host = [(1000 + 10**6 * n, 1500 + 10**6 * n) for n in range(5)]
    first, last = (Reading(ns, device(ns), 0) for ns in (0, 10**7))
    started, ended = host_times(*times(*((device(a), device(b)) for a, b in host)), first, last)
    assert abs(started - [a for a, _ in host]).max() <= 1 and abs(ended - [b for _, b in host]).max() <= 1


def test_one_reading_gives_the_offset():
    for first, last in ((Reading(50, 1050, 0), None), (None, Reading(50, 1050, 0))):
        started, ended = host_times(*times((1100, 1200)), first, last)
        assert (started.tolist(), ended.tolist()) == ([100], [200])


def test_without_a_reading_times_are_moved_as_little_as_launches_allow():
    started, ended = host_times(np.array([5, 50]), np.array([10, 60]), np.array([1005, 1020]), None, None)
    assert (started.tolist(), ended.tolist()) == ([1005, 1050], [1010, 1060])
    assert [len(cells) for cells in host_times(*(np.zeros(0, np.int64),) * 3, None, None)] == [0, 0]


def test_nothing_begins_before_it_was_launched():
    reading = Reading(0, 0, 30)
    started, ended = host_times(*times((70, 90), (200, 300), launch_ns=80), reading, reading)
    assert (started.tolist(), ended.tolist()) == ([80, 210], [100, 310])  # all is moved by what the reading may be off
    started, ended = host_times(*times((10, 20), launch_ns=80), reading, reading)
    assert started[0] == 80 and ended[0] >= 80


def test_a_clock_that_was_set_between_two_readings_is_not_taken_to_drift():
    started, _ = host_times(*times((110, 120)), Reading(0, 100, 0), Reading(1000, 100_000_000, 0))
    assert started.tolist() == [10]


def test_of_several_readings_the_quickest_counts():
    host = iter([0, 1000, 2000, 2010, 3000, 4000, 5000, 6000, 7000, 8000])
    device = iter([1, 2, 3, 4, 5])
    with clock.fake(lambda: next(host)):
        assert device_clock.read(lambda: next(device)) == Reading(2005, 2, 5)


@pytest.mark.parametrize(("keeps_newest", "kept"), [(True, range(90, 100)), (False, range(10))])
def test_bounded_rows_keep_the_newest_or_the_first_and_count_the_others(keeps_newest, kept):
    rows = BoundedRows(ROW, 10, keeps_newest)
    for number in range(100):
        rows.append((number, number))
    assert rows.copy()["n"].tolist() == list(kept) and rows.dropped == 90


def test_bounded_rows_take_no_more_place_than_they_need():
    rows = BoundedRows(ROW, 1 << 40, True)
    for number in range(1000):
        rows.append((number, 0))
    assert len(rows._rows) < 3000 and rows.copy()["n"].tolist() == list(range(1000)) and rows.dropped == 0
