"""The buffers themselves: handles, order, threads that come and go."""

from __future__ import annotations

import gc
import itertools
import threading

import numpy as np
import pytest

from mindtorch_v2.record import clock, logs, rows
from mindtorch_v2.record.layout import CALLS, MEMORY, OF_MEMORY, ROW, UNFINISHED
from mindtorch_v2.record.names import names
from mindtorch_v2.record.recorder import Window

A, B, C = (names.declare(letter) for letter in "ABC")


@pytest.fixture
def ticking():
    """A clock that moves on by one with every reading."""
    ticks = itertools.count(1)
    with clock.fake(lambda: next(ticks)):
        yield


def shown(recording):
    """Name and parent's name of every row of the only thread."""
    (thread,) = recording.threads
    found = [recording.names[n][0] for n in thread.rows["name"]]
    return [(name, found[p] if p >= 0 else None) for name, p in zip(found, thread.parents().tolist())]


def test_a_row_takes_forty_bytes_and_a_memory_change_twenty_eight():
    assert (ROW.itemsize, MEMORY.itemsize) == (40, 28)


def test_rows_nest_by_the_order_of_opening_and_closing(ticking):
    window = Window().open()
    a = rows.open_range(A)
    rows.close_range(rows.open_range(B))
    rows.close_range(a)
    rows.close_range(rows.open_range(C))
    assert shown(window.close()) == [("A", None), ("B", "A"), ("C", None)]


def test_a_row_closed_before_its_child_leaves_the_child_open(ticking):
    window = Window().open()
    a, b = rows.open_range(A), rows.open_range(B)
    rows.close_range(a)
    rows.close_range(rows.open_range(C))
    rows.close_range(b)
    rows.close_range(rows.open_range(A))
    assert shown(window.close()) == [("A", None), ("B", "A"), ("C", "B"), ("A", None)]


def test_what_is_open_at_the_end_ends_with_the_window_and_is_marked(ticking):
    window = Window().open()
    rows.close_range(rows.open_range(A))
    rows.open_range(B)
    recording = window.close()
    (thread,) = recording.threads
    assert thread.rows["end_ns"][1] == recording.end_ns and thread.rows["flags"].tolist() == [0, UNFINISHED]


def test_rows_stay_as_they_were_while_their_memory_grows():
    n, window = 300_000, Window().open()
    for number in range(n):
        rows.close_range(rows.open_range(A, 0, number))
    (thread,) = window.close().threads
    assert (thread.rows["sequence"] == np.arange(n)).all()
    assert (thread.rows["end_ns"] >= thread.rows["start_ns"]).all()


def test_a_handle_from_an_earlier_window_closes_nothing(ticking):
    window = Window().open()
    stale = rows.open_range(A)
    window.close()
    window = Window().open()
    rows.open_range(B)
    rows.close_range(stale)
    assert window.close().threads[0].rows["flags"].tolist() == [UNFINISHED]


def test_a_row_can_be_closed_on_another_thread(ticking):
    window = Window().open()
    a = rows.open_range(A)
    thread = threading.Thread(target=rows.close_range, args=(a,))
    thread.start()
    thread.join()
    rows.close_range(rows.open_range(B))
    recording = window.close()
    assert shown(recording) == [("A", None), ("B", None)] and not recording.threads[0].rows["flags"].any()


def test_time_never_runs_backwards_within_a_thread():
    times = iter([100, 50, 200, 150, 300, 400])
    with clock.fake(lambda: next(times)):
        rows.listen(CALLS)
        try:
            a, b = rows.open_range(A), rows.open_range(B)
            rows.close_range(b)
            rows.close_range(a)
            _, made, _, _ = logs.take(rows.current_thread(), logs.marks()[rows.current_thread()])
        finally:
            rows.listen(0)
    assert made["start_ns"].tolist() == [100, 100] and made["end_ns"].tolist() == [200, 200]


def test_the_machine_s_clock_keeps_step_with_the_system_s():
    import time
    with_listener = Window().open()
    try:
        before, now, after = time.monotonic_ns(), rows.now_ns(), time.monotonic_ns()
    finally:
        with_listener.close()
    assert before - 1000 <= now <= after + 1000


def test_threads_that_ended_leave_their_logs_to_others():
    def nothing():
        rows.current_thread()

    def run(n):
        for _ in range(n):
            thread = threading.Thread(target=nothing)
            thread.start()
            thread.join()
        return len(logs.marks())

    assert run(3) == run(50)


def test_what_an_ended_thread_recorded_is_kept_until_it_is_read():
    def record():
        rows.close_range(rows.open_range(A))

    window = Window().open()
    for _ in range(5):
        thread = threading.Thread(target=record, name="worker")
        thread.start()
        thread.join()
    recording = window.close()
    assert [t.name for t in recording.threads] == ["worker"] * 5 and len({t.index for t in recording.threads}) == 5


def test_memory_is_charged_to_the_innermost_row_and_totals_are_live_bytes():
    import mindtorch_v2 as torch
    before = rows.allocated_bytes()
    window = Window(CALLS | OF_MEMORY).open()
    kept = torch.empty(100)
    recording = window.close()
    (thread,) = recording.threads
    assert recording.start_bytes == before and thread.memory["change"].tolist() == [400]
    assert thread.places(thread.memory["row"]).tolist() == [0] and kept.data_ptr() * 2 + 1 == thread.memory["place"][0]


def test_the_release_of_a_block_born_unseen_says_so():
    import mindtorch_v2 as torch
    unseen = torch.empty(10)
    window = Window(CALLS | OF_MEMORY).open()
    seen = torch.empty(10)
    del unseen, seen
    (thread,) = window.close().threads
    assert sorted(zip(thread.memory["change"].tolist(), (thread.memory["place"] & 1).tolist())) == [
        (-40, 0), (-40, 1), (40, 1)]


def test_a_row_opened_by_a_garbage_collection_leaves_the_others_in_their_places():
    def open_a_row(phase, info):
        rows.close_range(rows.open_range(C))

    before = gc.get_threshold()
    window = Window().open()
    try:
        gc.set_threshold(1)
        gc.callbacks.append(open_a_row)
        for _ in range(50):
            a, held = rows.open_range(A), [[]]
            rows.close_range(rows.open_range(B))
            rows.close_range(a)
    finally:
        gc.callbacks.remove(open_a_row)
        gc.set_threshold(*before)
        nesting = shown(window.close())
    assert held and {pair for pair in nesting if pair[0] != "C"} == {("A", None), ("B", "A")}


def test_numbers_of_rows_in_any_array_are_read_within_it():
    thread = rows.current_thread()
    with pytest.raises((TypeError, ValueError)):
        logs.ends_of(thread, np.array(["a"]))
    for numbers in (np.zeros(100_000, np.int8), np.zeros((3, 3)), np.array(5), np.arange(10)[::-1]):
        assert len(logs.ends_of(thread, numbers)) == numbers.size


@pytest.mark.parametrize("bounds", [(10, 10, -5), (-10, -10, -5), (5, 5, 0), (2**62, 2**62, 2**62), (1, 1, 2**40)])
def test_a_senseless_limit_writes_nowhere_but_into_the_buffers(bounds):
    window = Window(CALLS | OF_MEMORY).open()
    try:
        rows.limit(*bounds, None)
        for _ in range(2000):
            rows.close_range(rows.open_range(A))
    finally:
        rows.limit(0, 0, 0, None)
        recording = window.close()
    assert sum(len(thread.rows) for thread in recording.threads) + recording.dropped == 2000
