"""Collectives in profiles: torch's rows, and the place of the process in the trace."""

from __future__ import annotations

import gc
import json
import threading

import pytest

import mindtorch_v2 as torch
import mindtorch_v2.distributed as dist

pytestmark = pytest.mark.slow  # processes and threads of their own, apart from tests of profiles


@pytest.fixture
def alone():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def test_a_collective_is_a_row_of_the_call_and_one_of_the_group_s_thread(alone):
    x = torch.ones(2)
    with torch.profiler.profile() as prof:
        dist.all_reduce(x)
        dist.broadcast(x, 0)
        dist.barrier()
    rows = {(event.name, event.thread != prof.events()[0].thread) for event in prof.events()}
    calls = {("c10d::allreduce_", False), ("c10d::broadcast_", False), ("c10d::barrier", False)}
    assert rows >= calls | {("gloo:all_reduce", True), ("gloo:broadcast", True), ("gloo:barrier", True)}


def test_a_trace_says_which_process_of_the_group_it_is_of(alone, tmp_path):
    with torch.profiler.profile() as prof:
        dist.barrier()
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    place = json.loads((tmp_path / "trace.json").read_text())["distributedInfo"]
    assert place == {"backend": "gloo", "rank": 0, "world_size": 1}


def test_no_thread_of_a_group_is_left_when_it_is_dissolved():
    before = set(threading.enumerate())
    dist.init_process_group("gloo", store=dist.TCPStore("127.0.0.1", 0, 1, True), rank=0, world_size=1)
    dist.all_reduce(torch.ones(2))
    dist.destroy_process_group()
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) == before
