"""Nothing grows without bound, nothing is lost uncounted, and reading while others record is safe."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import logs, rows


def work(n: int) -> None:
    x = torch.ones(4)
    for i in range(n):
        with record_function(f"range {i}"):
            (x + x) * x


def recorded(n: int, **wishes) -> int:
    """How many events the work has, by a profile without a limit."""
    with profile(**wishes) as prof:
        work(n)
    return len(prof.events())


@pytest.mark.parametrize("overflow", ["newest", "first", "spill"])
@pytest.mark.parametrize("wishes", [{}, {"profile_memory": True}])
@pytest.mark.parametrize("events", [1, 10, 333])
def test_kept_and_dropped_are_all_that_was_recorded(overflow, wishes, events):
    everything = recorded(100)
    with profile(max_events=events, overflow=overflow, **wishes) as prof:
        work(100)
    assert sum(e.name != "[memory]" for e in prof.events()) + prof.dropped_events == everything


@pytest.mark.parametrize("overflow", ["newest", "first"])
def test_the_same_for_a_profile_inside_one_without_a_limit(overflow):
    with profile() as outer:
        work(10)
        with profile(max_events=10, overflow=overflow) as inner:
            work(100)
        work(10)
    assert len(inner.events()) + inner.dropped_events == len(outer.events()) - 2 * recorded(10)


def test_a_limit_holds_for_all_threads_together():
    n_threads, most_events = 40, 1000
    with profile(max_events=most_events) as prof:
        threads = [threading.Thread(target=work, args=(200,)) for _ in range(n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        held = sum(end[0] - logs.held(thread)[0] for thread, end in logs.marks().items())
    assert held <= 2 * most_events and len(prof.events()) == most_events


PEAK = """
import resource, threading
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

def peak_kb(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
x = torch.ones(4)
def work(n):
    for i in range(n):
        x + x
{setup}
{body}
before = peak_kb()
for _ in range({times}):
    {body}
print(peak_kb() - before)
"""


def growth_kb(setup: str, body: str, times: int) -> int:
    source = PEAK.format(setup=setup, body=body, times=times)
    return int(subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "body"), [
    ("p = profile(max_events=50); p.start()", "work(2000); p.events()"),
    ("p = profile(max_events=50, overflow='spill', profile_memory=True); p.start()", "work(2000)"),
    ("p = profile(max_events=50, record_shapes=True, with_stack=True); p.start()",
     "t = threading.Thread(target=work, args=(3,)); t.start(); t.join()"),
    ("p = profile(max_events=50, overflow='spill'); p.start()",
     "t = threading.Thread(target=work, args=(3,)); t.start(); t.join()"),
    ("", "t = threading.Thread(target=work, args=(3,)); t.start(); t.join()"),
    ("n = iter(range(10**9))", "with profile(record_shapes=True), record_function(f'{next(n)}'): work(20)"),
])
def test_memory_stays_where_it_is(setup, body):
    assert growth_kb(setup, body, 300) < 1000


def test_events_are_read_while_other_threads_record_and_memory_moves():
    """Buffers that are read are moved by those who write: this crashed the process."""
    x, ends = torch.ones(4), threading.Event()

    def loop():
        while not ends.is_set():
            x + x

    threads = [threading.Thread(target=loop) for _ in range(3)]
    with profile(profile_memory=True, max_events=2000) as prof:
        for thread in threads:
            thread.start()
        counts = [len(prof.events()) for _ in range(30)]
        ends.set()
        for thread in threads:
            thread.join()
    assert counts[-1] > 0 and len(prof.events()) >= 2000


@pytest.mark.parametrize("handle", [5, 0, -1, 1 << 39, 1 << 50, (1 << 62) + 3])
def test_what_is_no_handle_closes_nothing(handle):
    with profile() as prof:
        opened = rows.open_range(0)
        rows.close_range(handle)
        rows.close_range(opened)
    assert len(prof.events()) == 1


@pytest.mark.parametrize("thread", [0, -1, 10**6])
def test_a_thread_that_is_not_there_is_an_index_error(thread):
    for ask in (logs.held, logs.open_rows, logs.life, logs.thread_facts):
        with pytest.raises(IndexError, match="no thread"):
            ask(thread)


# It can have 20 MB more; what is recorded of its ops needs twice as much.
WITHOUT_MEMORY = """
import resource
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile

x, n = torch.ones(4), 300_000
with profile(record_shapes=True, profile_memory=True) as prof:
    x + x
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (20 << 20), resource.RLIM_INFINITY))
    for _ in range(n):
        x + x
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
kept = sum(row.count for row in prof.key_averages() if row.key == "aten::add")
assert 1 < kept < n and kept + prof.dropped_events == n + 1, (kept, prof.dropped_events)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="bounds a process's memory as Linux does")
def test_program_that_has_no_memory_left_goes_on_and_its_profile_counts_what_is_missing():
    subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], check=True, timeout=60)
