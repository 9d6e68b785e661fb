"""What else torch's profiler modules hold: the legacy profile, other tools' marks and files, small helpers."""

from __future__ import annotations

import sqlite3

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import profiler, profiler_legacy, profiler_util
from mindtorch_v2.profiler import itt, record_function


def test_the_legacy_profile_numbers_from_one_and_puts_memory_first():
    with profiler_legacy.profile(record_shapes=True, profile_memory=True) as prof:
        torch.ones(3)
        with record_function("mine"):
            kept = torch.zeros(2)
    events = prof.function_events
    assert all(e.is_legacy for e in events) and all(r.is_legacy for r in prof.key_averages()) and kept is not None
    assert [(e.name, e.id, e.cpu_memory_usage) for e in events if e.name == "[memory]"] == [("[memory]", 0, -12)]
    calls = [e for e in events if e.id]
    assert [e.id for e in calls] == list(range(1, len(calls) + 1)) and calls[0].input_shapes == [[], [], [], [], []]
    mine = next(e for e in calls if e.name == "mine")
    assert (mine.scope, mine.is_user_annotation, mine.activity_type) == (7, False, None)
    assert [c.name for c in mine.cpu_children] == ["aten::zeros"]
    assert prof.table() == str(prof) and prof.total_average().count == len(events)


def test_the_legacy_profile_refuses_to_speak_before_its_end():
    prof = profiler_legacy.profile()
    assert (repr(prof), str(prof)) == ("<unfinished profiler_legacy.profile>",
                                       "<unfinished profile.profiler_legacy.profile>")
    for ask in (prof.table, prof.key_averages, prof.total_average, lambda: prof.self_cpu_time_total,
                lambda: prof.export_stacks("x"), lambda: prof.export_chrome_trace("x")):
        with pytest.raises(RuntimeError, match="Profiler didn't finish running"):
            ask()
    with prof:
        pass
    with pytest.raises(RuntimeError, match="Profiler context manager is not reentrant"):
        prof.__enter__()
    with profiler_legacy.profile(enabled=False) as nothing:
        assert nothing is None


def test_marks_for_other_tools():
    with profiler.emit_itt() as marks:
        torch.ones(1)
    with pytest.raises(RuntimeError, match="ITT annotation context manager is not reentrant"):
        marks.__enter__()
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        profiler.emit_nvtx().__enter__()
    with profiler.emit_nvtx(enabled=False) as nothing:
        assert nothing is None
    with itt.range("step {}", 3):
        itt.mark("here")
    with pytest.raises(TypeError, match="rangePush\\(\\): incompatible function arguments"):
        itt.range_push(5)
    assert itt.is_available() is True


@pytest.fixture
def nvprof_file(tmp_path):
    """Two markers, one inside the other's time, and two kernels that they launched."""
    path = tmp_path / "nvprof.sqlite"
    with sqlite3.connect(path) as file:
        file.executescript("""
            CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(_id_ INTEGER PRIMARY KEY, timestamp INT, id INT, name INT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start INT, end INT, name INT, correlationId INT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT,
                                                     correlationId INT);
            INSERT INTO StringTable VALUES (1, 'aten::mm'), (2, 'kernel'), (3, 'aten::add');
            INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES
                (1, 1000, 10, 1), (2, 9000, 10, 0), (3, 2000, 11, 3), (4, 3000, 11, 0);
            INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 211, 4000, 5000, 77), (2, 211, 2100, 2200, 78);
            INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (6000, 8000, 2, 77), (6000, 7000, 2, 78);
        """)
    return path


def test_a_file_of_nvprof_becomes_events(nvprof_file):
    events = profiler.load_nvprof(nvprof_file)
    assert [(e.id, e.name, e.time_range.start, e.time_range.end, e.node_id) for e in events] == [
        (10, "aten::mm", 1000, 9000, 0), (11, "aten::add", 2000, 3000, 0)]
    assert sorted(k.duration for k in events[0].kernels) == [1000, 2000]
    assert events[1].kernels == [profiler_util.Kernel(2, 0, 1000)]


def test_a_file_of_nvprof_that_repeats_itself_is_refused(nvprof_file):
    with sqlite3.connect(nvprof_file) as file:
        file.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (5, 1000, 10, 1)")
    with pytest.raises(RuntimeError, match=r"duplicate key: \(10,\)"):
        profiler.load_nvprof(nvprof_file)
    with pytest.raises(sqlite3.OperationalError, match="no such table: StringTable"):
        profiler.load_nvprof(":memory:")


class Record:
    """A memory record as torch's have it."""

    def __init__(self, start: int):
        self.start = start

    def start_ns(self) -> int:
        return self.start


def test_memory_records_of_an_interval():
    found = profiler_util.MemRecordsAcc([(Record(t), False) for t in (5, 1, 3, 9)])
    times = [[r.start for r, _ in found.in_interval(*span)] for span in ((1, 5), (2, 4), (0, 99), (6, 8), (3, 1))]
    assert times == [[1, 3, 5], [3], [1, 3, 5, 9], [], []]
    assert list(profiler_util.MemRecordsAcc([]).in_interval(0, 9)) == []


def test_names_that_only_cpp_can_read_are_put_into_words():
    table = profiler_util.StringTable()
    assert (table["a"], table["aten::mm"]) == ("a", "aten::mm")
    assert table["_ZN3fooEv"] in ("foo()", "_ZN3fooEv")  # where the C++ library is not found, as it stands
    with pytest.raises(TypeError, match="object of type 'int' has no len"):
        table[5]


@pytest.mark.parametrize(("name", "hidden"), [
    ("profiler::_record_function_enter_new", True), ("[memory]", True), ("[OutOfMemory]", True),
    ("aten::is_leaf", True), ("aten::add", False), ("is_leaf", False)])
def test_names_that_torch_hides(name, hidden):
    assert profiler_util._filter_name(name) is hidden


@pytest.mark.parametrize(("frame", "kept"), [
    ("autograd/__init__.py(1): _make_grads", False), ("torch/tensor.py(5): backward", False),
    ("a.py(5): _make_grads", True), ("torch/_tensor.py(5): backward", True)])
def test_frames_that_torch_hides(frame, kept):
    assert profiler_util._filter_stack_entry(frame) is kept


def test_a_kernel_s_facts_are_read_from_the_trace_s_words():
    found = profiler_util._build_metadata({"stream": "7", "grid": "[1,2,3]", "Collective name": '"all"',
                                           "Is asynchronized op": "true", "unknown": "x"})
    assert (found.stream, found.grid, found.collective_name, found.is_async, found.bytes) == (
        7, [1, 2, 3], "all", True, None)
    assert profiler_util._build_metadata({"unknown": "1"}) is None


def test_any_rows_can_be_printed():
    with profiler.profile() as prof:
        torch.ones(2)
    assert profiler_util._build_table(prof.function_events) == prof.table()
    assert profiler_util._build_table([]) == ""
