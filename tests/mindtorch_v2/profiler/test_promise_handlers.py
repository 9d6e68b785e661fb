"""Traces that a handler writes never take each other's names, and a handler that fails spoils nothing else."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function, tensorboard_trace_handler

from .reading import count, cycle


@pytest.fixture
def coarse_clock(monkeypatch):
    """Time in steps so long that everything happens at the same nanosecond."""
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)


def written(folder) -> list[str]:
    """The ids of all traces in a folder, which must be nothing but traces."""
    assert all(p.name.endswith(".pt.trace.json") for p in folder.iterdir())
    return [json.loads(p.read_text())["trace_id"] for p in folder.iterdir()]


def write_traces(folder, n: int) -> list[str]:
    made = []
    for _ in range(n):
        with profile(on_trace_ready=tensorboard_trace_handler(folder, "worker")) as prof:
            torch.ones(1)
        made.append(prof.get_trace_id())
    return made


def test_threads_that_write_at_the_same_nanosecond_all_keep_their_traces(tmp_path, coarse_clock):
    with ThreadPoolExecutor(8) as pool:
        made = sum(pool.map(lambda _: write_traces(tmp_path, 5), range(8)), [])
    assert len(made) == 40 and sorted(written(tmp_path)) == sorted(made)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_that_write_at_the_same_nanosecond_all_keep_their_traces(tmp_path, coarse_clock):
    children = []
    for _ in range(4):
        children.append(os.fork())
        if children[-1] == 0:
            os._exit(len(write_traces(tmp_path, 5)))
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [5] * 4
    assert len(set(written(tmp_path))) == 20


def test_a_folder_that_cannot_be_made_is_named_and_a_trace_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="Can't create directory: .*file/logs"):
        with profile(on_trace_ready=tensorboard_trace_handler(tmp_path / "file" / "logs")):
            torch.ones(1)

    class Unwritable(profile):
        def export_chrome_trace(self, path, use_python_export=False):
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        with Unwritable(on_trace_ready=tensorboard_trace_handler(tmp_path / "logs")):
            torch.ones(1)
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_failing_handler_does_not_hide_what_failed_in_the_block():
    def fail(_):
        raise OSError("disk full")

    with pytest.warns(UserWarning, match="on_trace_ready failed: OSError.*disk full"):
        with pytest.raises(KeyError, match="mine"):
            with profile(on_trace_ready=fail) as prof:
                torch.ones(1)
                raise KeyError("mine")
    assert count(prof, "aten::ones") == 1


def test_a_failing_handler_is_heard_and_later_cycles_are_recorded_all_the_same():
    heard, failures = [], 0

    def fail_once(prof):
        heard.append([e.name for e in prof.events() if e.name.startswith("batch")])
        if len(heard) == 1:
            raise OSError("disk full")

    with profile(schedule=cycle(wait=0, warmup=0, active=2, repeat=3), on_trace_ready=fail_once) as prof:
        for batch in range(6):
            with record_function(f"batch {batch}"):
                torch.ones(1)
            try:
                prof.step()
            except OSError:
                failures += 1
    assert (failures, heard) == (1, [["batch 0", "batch 1"], ["batch 2", "batch 3"], ["batch 4", "batch 5"]])
