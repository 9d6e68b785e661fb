"""Worker processes of a DataLoader in the profile of the program that started them."""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import pickle
import signal
import time

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile, schedule
from mindtorch_v2.record import recorder
from mindtorch_v2.utils.data import DataLoader, Dataset

FETCH = "DataLoader.fetch"
NEXT = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create", "ignore:Warning. Profiler clears")


class Squares(Dataset):
    def __init__(self, sleep_s=0.0, act=None):
        self.sleep_s, self.act = sleep_s, act

    def __len__(self):
        return 12

    def __getitem__(self, i):
        time.sleep(self.sleep_s)
        if self.act is not None and i == 4:
            self.act()
        return torch.full((2,), float(i)).square()


def fetches(prof) -> list:
    return [event for event in prof.with_workers().events() if event.name == FETCH]


@pytest.fixture(scope="module")
def profiled():
    with profile(record_shapes=True, profile_memory=True) as prof:
        for _ in DataLoader(Squares(), 3, num_workers=2):
            pass
    return prof


def test_each_worker_has_a_profile_with_a_row_for_each_batch(profiled):
    workers = profiled.workers()
    assert [[event.name for event in worker.events()].count(FETCH) for worker in workers] == [2, 2]
    squares = [event for event in workers[0].events() if event.name == "aten::pow"]
    assert len(squares) == 6 and squares[0].input_shapes == [[2], []]
    assert workers[0].key_averages().total_average().self_cpu_memory_usage != 0


def test_answers_of_the_profile_itself_are_those_of_its_own_process(profiled):
    assert FETCH not in {event.name for event in profiled.events()}
    assert FETCH in {average.key for average in profiled.with_workers().key_averages()}


def test_trace_shows_workers_as_processes_on_its_clock(profiled, tmp_path):
    profiled.export_chrome_trace(str(tmp_path / "trace.json"))
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert sorted(processes.values()) == ["DataLoader worker 0", "DataLoader worker 1", "Spans", "python"]
    waits = [event for event in events if event["name"] == NEXT]
    of_workers = [event for event in events if event["name"] == FETCH]
    assert len(of_workers) == 4 and {processes[event["pid"]] for event in waits} == {"python"}
    assert min(event["ts"] for event in of_workers) < max(event["ts"] + event["dur"] for event in waits)
    # A batch cannot have been received before it was fetched.
    assert all(event["ts"] < waits[-1]["ts"] + waits[-1]["dur"] for event in of_workers)


def test_all_of_it_can_be_saved(profiled, tmp_path):
    profiled.with_workers().save(tmp_path / "all.mtprof")
    assert len([event for event in load(tmp_path / "all.mtprof").events() if event.name == FETCH]) == 4


def test_copies_have_the_same_workers(profiled):
    for copied in (copy.copy(profiled), pickle.loads(pickle.dumps(profiled))):
        assert [len(worker.events()) for worker in copied.workers()] == \
            [len(worker.events()) for worker in profiled.workers()]


def test_profile_without_workers_has_none():
    with profile() as prof:
        torch.ones(2)
    assert prof.workers() == [] and prof.with_workers() is prof


def test_python_s_calls_of_a_worker_begin_with_its_batch_and_have_processor_time():
    with profile(with_stack=True, with_cpu_time=True) as prof:
        for _ in DataLoader(Squares(), 6, num_workers=1):
            pass
    worker, = prof.workers()
    assert [event.name for event in worker.events() if event.cpu_parent is None] == [FETCH, FETCH]
    assert any("__getitem__" in event.name for event in worker.events())
    assert min(worker.columns("events")["cpu_ns"].tolist()) >= 0  # it would be -1 where it is not known


def test_profile_that_begins_and_ends_within_an_epoch_sees_batches_of_its_own_time():
    loop = iter(DataLoader(Squares(), num_workers=1, prefetch_factor=1))
    next(loop)
    with profile() as prof:
        next(loop), next(loop), next(loop)
    for _ in loop:
        pass
    assert 2 <= len(fetches(prof)) <= 5
    window = prof.profiler._recordings._parts[0].recording
    table = prof.workers()[0].profiler._recordings.table()
    is_batch = [table.names[name][0] == FETCH for name in table["name"]]
    apart_ns = 100_000  # the clocks of two processes, which are calibrated one after the other
    batches = zip(table["start_ns"][is_batch], table["end_ns"][is_batch])
    assert all(start < window.end_ns + apart_ns and end > window.start_ns - apart_ns for start, end in batches)


def test_persistent_workers_are_seen_in_every_cycle_of_a_schedule():
    seen, loader = [], DataLoader(Squares(0.001), 3, num_workers=1, persistent_workers=True)
    cycles = schedule(wait=0, warmup=1, active=3, repeat=2)
    with profile(schedule=cycles, on_trace_ready=lambda prof: seen.append(len(fetches(prof)))) as prof:
        for _ in range(3):
            for _ in loader:
                prof.step()
    assert len(seen) == 2 and all(count > 0 for count in seen)


def test_batch_that_is_still_fetched_is_a_row_that_has_not_ended():
    events = multiprocessing.get_context("fork")
    began, released = events.Event(), events.Event()
    loop = iter(DataLoader(Squares(act=lambda: (began.set(), released.wait())), 5, num_workers=1))
    began.wait()
    with profile() as prof:
        pass
    fetch, = fetches(prof)
    released.set()
    window = prof.profiler._recordings.table().window
    assert fetch.time_range.elapsed_us() <= (window.end_ns - window.start_ns) / 1000 + 1
    next(loop)


def test_killed_worker_leaves_what_it_had_sent():
    loader = DataLoader(Squares(act=lambda: os.kill(os.getpid(), signal.SIGKILL)), 2, num_workers=1)
    with profile() as prof, pytest.raises(RuntimeError, match="exited unexpectedly"):
        list(loader)
    assert len(fetches(prof)) >= 2


def test_limit_holds_for_workers_too():
    with profile(max_events=200) as prof:
        for _ in DataLoader(Squares(), 1, num_workers=1):
            pass
    worker, = prof.workers()
    assert len(worker.events()) <= 200


def test_failing_batches_are_recorded_and_raised():
    def fail():
        raise ValueError("in the worker")

    with profile() as prof, pytest.raises(ValueError, match="in the worker"):
        list(DataLoader(Squares(act=fail), 4, num_workers=1))
    assert len(fetches(prof)) >= 2


def test_wait_for_data_is_told_by_step_and_batch():
    with profile(schedule=schedule(wait=1, warmup=1, active=3, repeat=1)) as prof:
        for _ in DataLoader(Squares(sleep_s=0.01), 2, num_workers=1):
            prof.step()
    waits = prof.data_wait()
    assert [(wait.step, len(wait.batches)) for wait in waits] == [("2", 1), ("3", 1), ("4", 1)]
    assert all(wait.wait_ns == sum(wait.batches) and 0 < wait.share <= 1 for wait in waits)


def test_worker_records_nothing_where_nobody_profiles():
    def told(batch):
        return recorder.wanted()

    assert set(DataLoader(Squares(), 3, num_workers=1, collate_fn=told)) == {0}
    with profile():
        loop = iter(DataLoader(Squares(), 1, num_workers=1, prefetch_factor=1, collate_fn=told))
        assert next(loop) > 0
    assert list(loop)[-1] == 0
