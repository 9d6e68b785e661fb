"""What is on disk: it outlives the process, and a disk that takes nothing loses nothing but what it has no room for."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import profiler
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import journal_file, recorder, rows

ENDLESS = """
import sys, time
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

prof = profile(record_shapes=True, profile_memory=True, folder=sys.argv[1], {wishes})
prof.start()
x = torch.ones(4, 4)
for i in range({steps}):
    with record_function(f"step {{i}}"):
        x + x
print("ready", flush=True)
{ending}
"""
LAST_WORDS = {"sleeping": "time.sleep(100)", "busy": "while True: x @ x"}


def killed(folder, wishes: str, steps: int = 500, ending: str = "sleeping", after_s: float = 1.2) -> None:
    """Run a program that profiles, and kill it some time after it has done its steps."""
    source = ENDLESS.format(wishes=wishes, steps=steps, ending=LAST_WORDS[ending])
    with subprocess.Popen([sys.executable, "-c", source, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("ending", LAST_WORDS)
@pytest.mark.parametrize("wishes", ["overflow='spill', max_events=100", "overflow='spill'", "crash_safe=True"])
def test_a_killed_process_leaves_its_events_behind(tmp_path, wishes, ending):
    killed(tmp_path, wishes, ending=ending)
    loaded = profiler.load(tmp_path)
    steps = [e for e in loaded.events() if e.name.startswith("step")]
    assert [e.name for e in steps] == [f"step {i}" for i in range(500)]
    assert all([child.name for child in e.cpu_children] == ["aten::add"] for e in steps)
    assert steps[7].cpu_children[0].input_shapes == [[4, 4], [4, 4], []]


def test_a_recovered_profile_answers_every_question(tmp_path):
    killed(tmp_path / "run", "crash_safe=True, with_stack=True")
    loaded = profiler.load(tmp_path / "run")
    assert "aten::add" in loaded.key_averages(group_by_input_shape=True).table()
    assert any("<module>" in line for e in loaded.events() if e.name == "aten::add" for line in e.stack)
    loaded.export_chrome_trace(tmp_path / "trace.json")
    loaded.export_stacks(tmp_path / "stacks.txt")
    assert os.path.getsize(tmp_path / "trace.json") > 10_000
    assert "<module>" in (tmp_path / "stacks.txt").read_text()


def test_of_a_file_that_was_cut_off_what_is_whole_is_read(tmp_path):
    killed(tmp_path, "crash_safe=True", steps=200)
    path, = tmp_path.iterdir()
    whole = path.read_bytes()
    counts = []
    for size in [*range(len(whole) // 2, len(whole), len(whole) // 20), len(whole)]:
        path.write_bytes(whole[:size])
        counts.append(len(profiler.load(path).events()))
    assert counts == sorted(counts) and counts[-1] == 403


@pytest.mark.parametrize(("content", "text"), [
    (b"", "too few"), (b"PK\x03\x04 something else" * 10, "is no recording"), (b"mtj1" * 3, "too few"),
    (journal_file.HEADER.pack(b"mtj1", 1, 0, 0, 0, 10**12), "cut off or damaged"),
    (journal_file.HEADER.pack(b"mtj1", 1, 0, 0, 0, 14) + b'{"version": 7}', "another version")])
def test_a_foreign_or_damaged_file_is_refused_in_a_sentence(tmp_path, content, text):
    (tmp_path / "1-1-1.journal").write_bytes(content)
    with pytest.raises(ValueError, match=text):
        profiler.load(tmp_path)


def test_an_empty_folder_and_a_missing_one_are_said_to_be_so(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileNotFoundError):
            profiler.load(path)


def test_a_folder_that_cannot_be_used_is_refused_at_the_start(tmp_path):
    (tmp_path / "file").write_text("")
    prof = profile(overflow="spill", folder=tmp_path / "file")
    with pytest.raises(OSError, match="file"):
        prof.start()
    assert rows.is_listening() == 0


def test_files_in_a_folder_of_the_profiler_s_own_go_with_the_profile():
    with profile(overflow="spill", max_events=10) as prof:
        folder = prof.folder
        assert os.listdir(folder)
    del prof
    assert not os.path.exists(folder)


def test_a_crash_file_is_bounded_and_holds_the_newest_part(tmp_path, monkeypatch):
    from mindtorch_v2.profiler.session import drain
    monkeypatch.setattr(drain, "CRASH_FILE_BYTES", 1 << 20)
    with profile(crash_safe=True, folder=tmp_path) as prof:
        for i in range(40):
            for _ in range(1000):
                with record_function(f"part {i}"):
                    pass
            recorder._flush_journals()  # under its lock: another thread does the same
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2 << 20
        newest = [e.name for e in profiler.load(tmp_path).events()]
    assert newest == [e.name for e in prof.events()][-len(newest):] and 9_000 < len(newest) < 40_000  # half at least


class FullDisk:
    """A disk on which nothing can be written for a while."""

    def __init__(self, monkeypatch):
        self.is_full = False
        self._pwrite = os.pwrite
        monkeypatch.setattr(journal_file.os, "pwrite", self)

    def __call__(self, fd, data, at):
        if self.is_full:
            raise OSError(28, "No space left on device")
        return self._pwrite(fd, data, at)


def ranges(first: int, last: int) -> None:
    for i in range(first, last):
        with record_function(f"range {i}"):
            pass


def test_a_full_disk_is_told_once_and_what_has_no_room_is_counted(monkeypatch):
    disk = FullDisk(monkeypatch)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with profile(overflow="spill", max_events=100) as prof:
            ranges(0, 500)
            disk.is_full = True
            ranges(500, 2000)
            names = [e.name for e in prof.events()]
    assert [w.filename for w in caught if "could not write to disk" in str(w.message)] == [__file__]
    assert names[:500] == [f"range {i}" for i in range(500)] and len(names) + prof.dropped_events == 2000
    assert len(prof.events()) + prof.dropped_events == 2000


def test_after_a_disk_was_full_for_a_while_recording_goes_on(monkeypatch):
    disk = FullDisk(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(overflow="spill", max_events=100) as prof:
            with record_function("all"):
                ranges(0, 1000)
                disk.is_full = True
                ranges(1000, 2000)
                disk.is_full = False
                time.sleep(0.2)
                ranges(2000, 3000)
    shown = [e for e in prof.events() if e.name != "all"]
    assert {e.cpu_parent.name for e in shown} == {"all"} and all(e.self_cpu_time_total >= 0 for e in prof.events())
    assert shown[-1].name == "range 2999" and len(shown) + 1 + prof.dropped_events == 3001


def test_warnings_as_errors_do_not_reach_the_program_from_a_full_disk(monkeypatch):
    disk = FullDisk(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with profile(overflow="spill", max_events=10):
            disk.is_full = True
            ranges(0, 100)
            disk.is_full = False


def test_without_file_descriptors_a_spilling_profile_goes_on(tmp_path):
    """One file is open for a profile, however many threads there are."""
    before = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else None
    with profile(overflow="spill", max_events=10, folder=tmp_path) as prof:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, (before or 20) + 2), hard))
            ranges(0, 100)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(prof.events()) == 100


def test_a_folder_that_is_removed_while_it_is_written_loses_nothing(tmp_path):
    folder = tmp_path / "run"
    with profile(overflow="spill", max_events=10, folder=folder) as prof:
        ranges(0, 50)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        ranges(50, 100)
    assert len(prof.events()) == 100


def test_an_interrupted_spill_shifts_nothing(monkeypatch):
    """Ctrl-C while rows are moved to disk: raised when they are there, and every row keeps its parent."""
    pwrite, countdown = os.pwrite, iter(range(10**9))

    def interrupted(fd, data, at):
        if next(countdown) % 7 == 3:
            signal.raise_signal(signal.SIGINT)
        return pwrite(fd, data, at)

    with profile(overflow="spill", max_events=20, profile_memory=True) as prof:
        monkeypatch.setattr(journal_file.os, "pwrite", interrupted)
        n, interrupts = 0, 0
        while n < 300:
            try:
                with record_function(f"outer {n}"):
                    n += 1
                    torch.ones(2)
            except KeyboardInterrupt:
                interrupts += 1
        monkeypatch.undo()
    parents = {e.cpu_parent.name.split()[0] for e in prof.events() if e.name == "aten::ones"}
    assert interrupts and parents == {"outer"} and prof.dropped_events == 0
    assert all(e.self_cpu_time_total >= 0 for e in prof.events())


def test_the_thread_that_writes_is_not_listed_and_ends_with_the_profile(tmp_path):
    import threading
    before = threading.enumerate()
    with profile(crash_safe=True, with_stack=True, folder=tmp_path) as prof:
        time.sleep(0.7)
        with profile(with_stack=True):
            time.sleep(0.7)
        assert threading.enumerate() == before
    assert {e.thread_name for e in prof.events()} <= {thread.name for thread in before}


def test_a_profile_that_is_not_written_has_no_folder():
    with profile() as prof:
        assert prof.folder is None
    assert prof.folder is None


def test_a_folder_for_a_profile_that_is_not_written_is_refused(tmp_path):
    with pytest.raises(ValueError, match="overflow='spill' or crash_safe=True"):
        profile(folder=tmp_path)
