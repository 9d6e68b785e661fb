"""A fork at any moment leaves a child that works: no lock of this package stays held in it by a thread it lacks."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.profiler.table.cached_property import cached_property
from mindtorch_v2.record import locks

from .reading import count, names

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
PACKAGE = Path(torch.__file__).parent
LONGEST_S = 20  # a child that takes longer hangs


def code_of_child(work) -> int:
    """How a forked child ends that does the work: 0 if it is done, SIGALRM if it hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST_S)
        try:
            work()
        except BaseException as failure:
            os.write(2, f"{failure!r}\n".encode())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def use_everything() -> None:
    """Record, and ask for every kind of answer."""
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        with record_function("child"):
            (torch.ones(3, requires_grad=True) * 2).sum().backward()
    assert "child" in names(prof)
    read_everything(prof)


def read_everything(prof) -> None:
    prof.key_averages(group_by_input_shape=True).table()
    [event.stack for event in prof.events()]
    prof.export_chrome_trace(io.StringIO())
    prof.profiler.kineto_results.experimental_event_tree()
    prof._memory_profile().timeline  # noqa: B018 - it is worked out


def test_forks_while_threads_read_and_record():
    def repeat(work):
        while not enough.is_set():
            work()

    with profile(record_shapes=True, profile_memory=True, with_stack=True) as done:
        torch.ones(3).sum()
    enough = threading.Event()
    threads = [threading.Thread(target=repeat, args=(work,)) for work in
               (use_everything, use_everything, lambda: names(running))]
    with profile() as running:
        for thread in threads:
            thread.start()
        try:
            codes = [code_of_child(lambda: (use_everything(), read_everything(done), names(running)))
                     for _ in range(15)]
        finally:
            enough.set()
            for thread in threads:
                thread.join()
    assert codes == [0] * 15
    assert count(running, "child") > 0


class Slow:
    """Something whose property takes as long as another thread lets it."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    @cached_property
    def value(self) -> object:
        """Documented."""
        if threading.current_thread() is not threading.main_thread():
            self.begun.set()
            self.go_on.wait()
        return object()


def test_a_property_that_another_thread_works_out_during_the_fork_is_free_in_the_child():
    slow, seen = Slow(), []
    thread = threading.Thread(target=lambda: seen.append(slow.value))
    thread.start()
    slow.begun.wait()
    assert code_of_child(lambda: slow.value) == 0
    mine = slow.value
    slow.go_on.set()
    thread.join()
    assert seen == [mine] and slow.value is mine and Slow.value.__doc__ == "Documented."


def test_a_lock_that_another_thread_holds_is_free_in_the_child_and_the_forking_thread_s_own_is_still_held():
    held, own, begun, enough = locks.new_lock(), locks.new_lock(), threading.Event(), threading.Event()

    def hold():
        with held:
            begun.set()
            enough.wait()

    def use():
        with held:
            own.release()  # fails if the child does not hold it

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    with own:
        assert code_of_child(use) == 0
    enough.set()
    thread.join()


def test_every_lock_of_the_package_is_in_the_one_list():
    made_here = re.compile(r"threading\.(R?Lock|Condition|Semaphore|Event|Barrier)\(|functools import .*cached_property"
                           r"|allocate_lock")
    offenders = [str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py*")
                 if path.suffix in (".py", ".pyx") and made_here.search(path.read_text())]
    assert offenders == ["record/locks.py"]


def run(folder, program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], cwd=folder, timeout=60, capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)})


def test_recording_and_reading_import_nothing_since_an_import_is_a_lock_too(tmp_path):
    done = run(tmp_path, """
import io, sys
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
before = set(sys.modules)
with profile(record_shapes=True, profile_memory=True, with_stack=True, with_flops=True) as prof:
    (torch.ones(3, 3, requires_grad=True) @ torch.ones(3, 3)).unique().sum()
prof.key_averages(group_by_input_shape=True, group_by_stack_n=2).table()
[event.stack for event in prof.events()]
prof.export_chrome_trace("trace.json.gz")
prof.export_stacks("stacks")
prof.profiler.kineto_results.experimental_event_tree()
prof._memory_profile().timeline
print(sorted(set(sys.modules) - before))
""")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_fork_waits_for_what_a_thread_loads(tmp_path, monkeypatch):
    (tmp_path / "slow_to_load.py").write_text("import time\nbegun = True\ntime.sleep(0.5)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    thread = threading.Thread(target=locks.load, args=("slow_to_load", ""))
    thread.start()
    while "slow_to_load" not in sys.modules:
        thread.join(0.01)
    assert code_of_child(lambda: locks.load("slow_to_load", "").whole) == 0
    thread.join()
    assert sys.modules.pop("slow_to_load").whole


@pytest.mark.parametrize("ending", ["os._exit(3)", "sys.exit(3)", "raise SystemExit(3)"])
def test_however_a_child_ends_the_parent_s_profile_is_whole(tmp_path, ending):
    done = run(tmp_path, f"""
import os, subprocess, sys
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
with profile(on_trace_ready=lambda p: p.export_chrome_trace("trace.json")) as prof:
    torch.ones(1)
    child = os.fork()
    if child == 0:
        torch.zeros(1)
        {ending}
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    subprocess.run([sys.executable, "-c", ""], check=True)
    torch.ones(1)
names = [event.name for event in prof.events()]
assert names.count("aten::ones") == 2 and "aten::zeros" not in names
""")
    assert (done.returncode, done.stderr) == (0, "") and [p.name for p in tmp_path.iterdir()] == ["trace.json"]
