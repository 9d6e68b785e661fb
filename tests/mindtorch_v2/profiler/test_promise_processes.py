"""A child process records its own, under its own numbers, and its parent's profile is unharmed."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

from .reading import count, names

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def in_child(work) -> dict:
    """What a forked child makes of the work, handed back as JSON."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            result = {"result": work(), "pid": os.getpid()}
        except BaseException as failure:
            result = {"failure": repr(failure)}
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as file:
        found = json.loads(file.read())
    os.waitpid(child, 0)
    return found


def slices(prof) -> list[list]:
    text = io.StringIO()
    prof.export_chrome_trace(text)
    events = json.loads(text.getvalue())["traceEvents"]
    return [[e["name"], e["pid"], e["tid"]] for e in events if e["ph"] == "X" and e["cat"] != "Trace"]


@needs_fork
def test_a_profile_started_before_the_fork_records_the_child_s_own_ops_under_its_numbers():
    def work():
        torch.zeros(1)
        with record_function("child"):
            pass
        prof.stop()
        return slices(prof)

    with profile() as prof:
        torch.ones(1)
        with record_function("open at the fork"):
            found = in_child(work)
        torch.ones(1)
    pid = found["pid"]
    assert found["result"] == [[name, pid, pid] for name in ("aten::zeros", "aten::empty", "aten::zero_", "child")]
    assert count(prof, "aten::ones") == 2 and count(prof, "aten::zeros") == 0
    assert {(pid, tid) for _, pid, tid in slices(prof)} == {(os.getpid(), threading.get_native_id())}


@needs_fork
def test_a_profile_started_in_the_child_has_the_child_s_numbers():
    def work():
        with profile(profile_memory=True) as prof:
            with record_function("child"):
                torch.zeros(10)
        return slices(prof)[0]

    torch.ones(1)
    for outer in (False, True):
        prof = profile()
        if outer:
            prof.start()
        found = in_child(work)
        assert found["result"] == ["child", found["pid"], found["pid"]]
        if outer:
            torch.ones(1)
            prof.stop()
            assert names(prof)[0] == "aten::ones"


@needs_fork
def test_python_s_calls_are_traced_on_in_the_child():
    def work():
        torch.zeros(1)
        prof.stop()
        return [name for name, _, _ in slices(prof) if "test_promise_processes" in name or name == "aten::zeros"]

    with profile(with_stack=True) as prof:
        found = in_child(work)["result"]
        torch.ones(1)
    assert "aten::zeros" in found and any(name.endswith(": work") for name in found)
    assert "aten::ones" in names(prof)


@needs_fork
def test_a_fork_on_another_thread_and_under_load_harms_neither_side():
    def busy():
        while not enough.is_set():
            with record_function("busy"):
                torch.ones(1)

    def work():
        with profile() as prof:
            torch.zeros(1)
        return names(prof)

    enough = threading.Event()
    workers = [threading.Thread(target=busy) for _ in range(2)]
    with profile(profile_memory=True) as prof:
        for worker in workers:
            worker.start()
        found = [in_child(work) for _ in range(10)]
        enough.set()
        for worker in workers:
            worker.join()
    assert [f.get("result", f) for f in found] == [["aten::zeros", "aten::empty", "aten::zero_"]] * 10
    assert count(prof, "busy") == count(prof, "aten::ones") > 0 and count(prof, "aten::zeros") == 0


def of_child(connection):
    """What a child of multiprocessing records."""
    with profile() as prof:
        torch.zeros(1)
    connection.send((os.getpid(), slices(prof)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_of_multiprocessing_record_their_own(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    context = multiprocessing.get_context(method)
    here, there = context.Pipe()
    with profile() as prof:
        child = context.Process(target=of_child, args=(there,))
        child.start()
        pid, found = here.recv()
        child.join()
    assert found == [[name, pid, pid] for name in ("aten::zeros", "aten::empty", "aten::zero_")]
    assert names(prof) == [] and child.exitcode == 0


@needs_fork
def test_the_child_s_memory_profile_begins_with_what_it_inherited():
    kept = torch.ones(1000)

    def work():
        with profile(profile_memory=True) as prof:
            more = torch.zeros(10)
        text = io.StringIO()
        prof.export_chrome_trace(text)
        events = json.loads(text.getvalue())["traceEvents"]
        total = next(e for e in events if e["name"] == "[memory]")["args"]["Total Allocated"]
        return total >= kept.numel() * 4 + more.numel() * 4

    assert in_child(work)["result"] is True
