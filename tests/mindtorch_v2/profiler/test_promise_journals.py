"""Journals when a write fails, a process forks, a profile is dropped, and when files are damaged."""

from __future__ import annotations

import gc
import io
import os
import random
import tempfile
import threading
import time
import warnings
import zlib

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import profiler
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.profiler.session import drain
from mindtorch_v2.record import flusher, journal_file
from mindtorch_v2.record.journal import Journal
from mindtorch_v2.record.names import inputs, names


def ranges(n: int) -> None:
    for i in range(n):
        with record_function(f"range {i}"):
            torch.ones(2)


def failing(times: int, work, error: Exception):
    """A function that fails some times before it works."""
    left = [times]

    def attempt(*args, **kwargs):
        if left[0]:
            left[0] -= 1
            raise error
        return work(*args, **kwargs)

    return attempt


@pytest.fixture
def written(tmp_path):
    """A journal with all that can be in one."""
    with profile(crash_safe=True, record_shapes=True, profile_memory=True, with_stack=True, folder=tmp_path) as prof:
        model = torch.nn.Linear(3, 3)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i in range(5):
            with record_function(f"step {i}"):
                model(torch.ones(2, 3)).sum().backward()
                optimizer.step()
    path, = tmp_path.iterdir()
    yield path
    del prof


def read_everything(path) -> None:
    """Load a journal and ask for every kind of answer; a journal that is refused is refused with ValueError."""
    try:
        loaded = profiler.load(path)
    except ValueError:
        return
    loaded.events()
    loaded.key_averages(group_by_input_shape=True, group_by_stack_n=3).table()
    loaded.export_chrome_trace(io.StringIO())
    if loaded.profile_memory and loaded.record_shapes and loaded.with_stack:
        loaded._memory_profile().timeline  # noqa: B018 - it is worked out


@pytest.mark.parametrize("flips", [1, 8, 200])
@pytest.mark.parametrize("cut_off", [False, True])
def test_a_damaged_journal_is_refused_or_is_a_smaller_profile(written, flips, cut_off):
    whole, chance = written.read_bytes(), random.Random(flips)
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(flips):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        written.write_bytes(damaged[:chance.randrange(len(damaged))] if cut_off else damaged)
        read_everything(written)


@pytest.mark.parametrize("kind", [journal_file.THREAD, journal_file.WORDS])
@pytest.mark.parametrize("facts", [
    b"[" * 100_000 + b"]" * 100_000, b'{"names": [[1]], "os_id": []}', b'{"names": 5, "name": [5]}',
    b'{"inputs": [[[], 2]]}', b'{"inputs": [[2000000, 5], [2000001, [5]]]}', b'{"end_ns": "late", "refused": {}}',
    b'{"end_ns": 1e400}', b'{"declared": [5]}', b'{"names": [["a", "b"], [-5, 7]]}', b'{"modules": [[3, [1, 2]]]}',
    b'{"steps": [[[], 5]]}',
    b'{"optimizers": [[5, [1, 2, 3, [[1, 2, 3]]]]]}', b'{"end_ns": ' + b"9" * 40 + b"}"])
@pytest.mark.parametrize("thread", [0, 1, -3, (1 << 31) - 1])
def test_facts_that_nobody_wrote_are_refused_or_overlooked(written, kind, facts, thread):
    with written.open("ab") as file:
        header = journal_file.MAGIC, kind, thread, 0, zlib.crc32(facts), len(facts)
        file.write(journal_file.HEADER.pack(*header) + facts)
    read_everything(written)


def test_a_file_that_was_begun_when_its_process_was_killed_hides_no_other(written):
    (written.parent / "1-2-3.journal").write_bytes(written.read_bytes()[:40])
    (written.parent / "1-2-4.journal").write_bytes(b"")
    assert any(e.name == "step 4" for e in profiler.load(written.parent).events())


def test_a_child_forked_while_the_journal_is_written_writes_its_own(monkeypatch):
    write_words, inside = Journal._write_words, threading.Event()

    def slowly(self):
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            time.sleep(0.5)
        return write_words(self)

    with profile(overflow="spill", max_events=20) as prof:
        monkeypatch.setattr(Journal, "_write_words", slowly)
        assert inside.wait(10)
        child = os.fork()
        if child == 0:
            ranges(100)
            prof.stop()
            os._exit(prof.dropped_events == 0 and len(prof.events()) == 400)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_no_word_is_noted_for_a_profile_that_was_dropped_did_not_start_or_is_a_parent_s(tmp_path, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prof = profile(crash_safe=True)
        prof.start()
        del prof
        gc.collect()
    with monkeypatch.context() as patch:
        patch.setattr(journal_file.JournalFile, "append", failing(1, None, OSError(28, "No space left on device")))
        with pytest.raises(OSError, match="No space"):
            profile(crash_safe=True, folder=tmp_path).start()
    assert names.listeners == inputs.listeners == [] and os.listdir(tmp_path) == []
    with profile(crash_safe=True, folder=tmp_path):
        child = os.fork()
        if child == 0:
            os._exit(len(names.listeners))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


@pytest.mark.parametrize("wishes", [{"crash_safe": True}, {"overflow": "spill", "max_events": 20}])
def test_a_child_that_does_not_clean_up_leaves_no_temporary_files(tmp_path, monkeypatch, wishes):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with profile(**wishes) as prof:
        before = os.listdir(tmp_path)
        child = os.fork()
        if child == 0:
            ranges(100)
            prof.stop()
            os._exit(len(prof.events()) == 400)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        assert os.listdir(tmp_path) == before


def test_optimizers_whose_rows_are_on_disk_are_not_held_in_memory():
    weight = torch.ones(2, requires_grad=True)
    weight.grad = torch.ones(2)
    with profile(overflow="spill", max_events=50, with_stack=True, record_shapes=True) as prof:
        for _ in range(200):
            torch.optim.SGD([weight], lr=0.1).step()
        journal = prof.profiler._recordings._parts[-1].window.journal
        journal.spill()
        journal.flush()
        assert len(journal._optimizers) < 50
    known = prof.profiler._recordings._parts[-1].recording.objects.known_optimizers()
    assert len(known) == 200 and {facts.cls_name for facts in known.values()} == {"SGD"}


def test_an_end_that_the_disk_did_not_take_is_not_lost(monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(overflow="spill", max_events=50) as prof:
            with record_function("outer"):
                ranges(100)
                monkeypatch.setattr(journal_file.JournalFile, "patch",
                                    failing(10**9, None, OSError(5, "Input/output error")))
            ranges(100)
            time.sleep(0.7)
            shown = {e.name: e for e in prof.events()}
            monkeypatch.undo()
    for outer in (shown["outer"], next(e for e in prof.events() if e.name == "outer")):
        assert outer.time_range.elapsed_us() < 0.6e6
    assert len(prof.events()) + prof.dropped_events == 801


def test_what_fails_in_the_thread_that_writes_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(flusher, "PERIOD_S", 0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(crash_safe=True, folder=tmp_path):
            monkeypatch.setattr(journal_file.JournalFile, "append_json",
                                failing(2, journal_file.JournalFile.append_json, MemoryError()))
            ranges(3)
            deadline = time.monotonic() + 10
            while len(profiler.load(tmp_path).events()) < 12 and time.monotonic() < deadline:
                time.sleep(0.05)
            assert [e.name for e in profiler.load(tmp_path).events()][::4] == ["range 0", "range 1", "range 2"]


def test_a_file_that_could_not_be_begun_is_not_written_to(tmp_path, monkeypatch):
    monkeypatch.setattr(drain, "CRASH_FILE_BYTES", 1 << 14)
    append_json, tries = journal_file.JournalFile.append_json, []

    def full(self, kind, *args):
        if kind == journal_file.ABOUT:
            tries.append(self.path)
            raise OSError(28, "No space left on device")
        return append_json(self, kind, *args)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(crash_safe=True, folder=tmp_path) as prof:
            journal = prof.profiler._recordings._parts[-1].window.journal
            monkeypatch.setattr(journal_file.JournalFile, "append_json", full)
            for _ in range(6):
                ranges(50)
                journal.flush()
    assert len(tries) > 3 and len(os.listdir(tmp_path)) == 1
    assert len(profiler.load(tmp_path).events()) == 1200


def test_a_program_that_closes_all_descriptors_loses_neither_its_own_files_nor_the_recording(tmp_path):
    gc.collect()  # no descriptor of somebody else's becomes free meanwhile
    with profile(overflow="spill", max_events=20) as prof:
        ranges(50)
        journal = prof.profiler._recordings._parts[-1].window.journal
        os.close(journal.files[-1]._fd)
        with open(tmp_path / "mine", "w+b") as mine:
            assert mine.fileno() == journal.files[-1]._fd
            ranges(50)
            assert os.path.getsize(tmp_path / "mine") == 0
        ranges(50)
    assert len(prof.events()) == 600 and prof.dropped_events == 0
