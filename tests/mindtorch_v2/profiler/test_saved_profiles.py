"""Profiles that are saved and loaded: they answer everything as before; files are whole, small and documented."""

from __future__ import annotations

import json
import os
import pickle
import re
import stat
import tempfile
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import (
    ExecutionTraceObserver,
    _ExperimentalConfig,
    _RecordFunctionFast,
    load,
    profile,
    record_function,
    schedule,
)
from mindtorch_v2.profiler.results import file_format

from .saved_answers import answers
from .test_promise_disk import killed

DOCS = Path(__file__).parents[3] / "docs" / "SAVED_PROFILES.md"
EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": True}
MOST_BYTES_PER_EVENT = 48
CONFIGS = {
    "none": None,
    "overloads": _ExperimentalConfig(capture_overload_names=True, verbose=True),
    "steps": _ExperimentalConfig(adjust_profiler_step=True, expose_kineto_event_metadata=True),
    "trace only": _ExperimentalConfig(trace_only=True),
}


class Program:
    """Small things that a program does, by name; each may be done inside a range or on another thread."""

    def __init__(self):
        self.model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.kept = []

    def do(self, name: str) -> None:
        getattr(self, name)()

    def forward(self) -> None:
        self.model(torch.ones(2, 3))

    def train(self) -> None:
        self.model(torch.rand(2, 3)).sum().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def keep(self) -> None:
        self.kept.append(torch.zeros(16, 16))

    def drop(self) -> None:
        del self.kept[:]

    def lists(self) -> None:
        torch.cat([torch.ones(2), torch.full((3,), float("nan"))]).add_(2.5, alpha=3)

    def complex_numbers(self) -> None:
        torch.ones(2, dtype=torch.complex64).mul(1 + 2j)

    def given_range(self) -> None:
        keywords = {"complex": [1.5, 2.5], "note": "ü\ud800"}
        with _RecordFunctionFast("given", [torch.ones(2), 3, "text", [1, 2]], keywords):
            pass


ACTIONS = ("forward", "train", "keep", "drop", "lists", "complex_numbers", "given_range")
STEP = st.tuples(st.sampled_from(["here", "range", "thread"]), st.sampled_from(ACTIONS))


def perform(program: Program, steps: list[tuple[str, str]]) -> None:
    for where, action in steps:
        if where == "thread":
            worker = threading.Thread(target=program.do, args=(action,), name=f"worker {action}")
            worker.start()
            worker.join()
        elif where == "range":
            with record_function(f"around {action}"):
                program.do(action)
        else:
            program.do(action)


def trained(**options) -> profile:
    program = Program()
    with profile(**options) as prof:
        perform(program, [("range", "train"), ("here", "keep"), ("thread", "forward"), ("here", "drop")])
    return prof


@pytest.fixture
def saved(tmp_path) -> Path:
    trained(**EVERYTHING).save(tmp_path / "saved.mtprof")
    return tmp_path / "saved.mtprof"


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(STEP, min_size=0, max_size=5), options=st.fixed_dictionaries({name: st.booleans()
                                                                                   for name in EVERYTHING}),
       config=st.sampled_from(sorted(CONFIGS)), together=st.booleans())
@pytest.mark.filterwarnings("ignore")
def test_a_loaded_profile_answers_everything_as_the_live_one(steps, options, config, together):
    program = Program()
    cycles = {"schedule": schedule(wait=0, warmup=0, active=1, repeat=2), "acc_events": True} if together else {}
    with profile(**options, **cycles, experimental_config=CONFIGS[config]) as prof:
        prof.add_metadata("author", "somebody")
        for _ in range(2 if together else 1):
            perform(program, steps)
            prof.step()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        prof.save(folder / "saved.mtprof")
        live, loaded = answers(prof, folder), answers(load(folder / "saved.mtprof"), folder)
    for name in live:
        assert loaded[name] == live[name], name


@pytest.mark.filterwarnings("ignore")
def test_everything_is_answered_where_everything_was_recorded(tmp_path):
    prof = trained(**EVERYTHING)
    prof.save(tmp_path / "saved.mtprof")
    live, loaded = answers(prof, tmp_path), answers(load(tmp_path / "saved.mtprof"), tmp_path)
    assert not [name for name, value in live.items() if "Error: " in value[:30]]
    assert loaded == live
    assert "_NNModuleInfo(" in live["tree"] and "_OptimizerInfo(" in live["tree"]


def test_numbers_of_an_execution_trace_go_along(tmp_path):
    observer = ExecutionTraceObserver().register_callback(str(tmp_path / "execution.json"))
    prof = trained(execution_trace_observer=observer)
    prof.save(tmp_path / "saved.mtprof")
    assert prof.profiler._recordings.table()["record"].any()
    assert answers(load(tmp_path / "saved.mtprof"), tmp_path)["trace"] == answers(prof, tmp_path)["trace"]


def test_a_limited_profile_says_what_it_dropped_after_loading(tmp_path):
    with profile(max_events=10) as prof:
        for _ in range(50):
            torch.ones(2)
    prof.save(tmp_path / "saved.mtprof")
    assert load(tmp_path / "saved.mtprof").dropped_events == prof.dropped_events > 0


def test_a_profile_that_a_process_left_behind_can_be_saved(tmp_path):
    killed(tmp_path / "journal", "crash_safe=True, with_stack=True", steps=20)
    left = load(tmp_path / "journal")
    assert any(event.name == "step 19" for event in left.events())
    left.save(tmp_path / "saved.mtprof")
    assert answers(load(tmp_path / "saved.mtprof"), tmp_path) == answers(left, tmp_path)


def test_a_loaded_profile_can_be_saved_again_and_pickled(saved, tmp_path):
    loaded = load(saved)
    expected = answers(loaded, tmp_path)
    loaded.save(tmp_path / "again.mtprof")
    assert (tmp_path / "again.mtprof").read_bytes() == saved.read_bytes()
    assert answers(pickle.loads(pickle.dumps(loaded)), tmp_path) == expected


def test_a_handler_can_save_each_cycle(tmp_path):
    def keep(prof):
        prof.save(tmp_path / f"{prof.step_num}.mtprof")

    with profile(schedule=schedule(wait=0, warmup=1, active=1, repeat=2), on_trace_ready=keep) as prof:
        for _ in range(4):
            torch.ones(2)
            prof.step()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.mtprof", "4.mtprof"]
    assert any(event.name == "aten::ones" for event in load(tmp_path / "4.mtprof").events())


def test_a_profile_that_records_says_how_it_can_be_saved(tmp_path):
    with profile() as prof, pytest.raises(RuntimeError, match=r"cannot be saved: call stop\(\) first"):
        prof.save(tmp_path / "saved.mtprof")
    assert not list(tmp_path.iterdir())
    with pytest.raises(AssertionError, match="must be initialized before saving"):
        profile().save(tmp_path / "saved.mtprof")


@pytest.mark.parametrize(("name", "error"), [("missing/saved.mtprof", FileNotFoundError), ("", IsADirectoryError)])
def test_a_path_that_cannot_be_written_is_named(name, error, tmp_path):
    with pytest.raises(error) as failure:
        trained().save(tmp_path / name)
    assert str(tmp_path) in str(failure.value)
    assert not list(tmp_path.iterdir())


def test_an_existing_file_stays_until_the_new_one_is_whole(saved, monkeypatch):
    before, mode = saved.read_bytes(), stat.S_IMODE(saved.stat().st_mode)
    monkeypatch.setattr("mindtorch_v2.profiler.results.saving.write_json", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        trained().save(saved)
    assert saved.read_bytes() == before and os.listdir(saved.parent) == [saved.name]
    monkeypatch.undo()
    trained().save(saved)
    assert saved.read_bytes() != before and stat.S_IMODE(saved.stat().st_mode) == mode
    assert os.listdir(saved.parent) == [saved.name]


def test_a_plain_profile_takes_at_most_48_bytes_an_event(tmp_path):
    a = torch.ones(2)
    with profile() as prof:
        for _ in range(20_000):
            with record_function("step"):
                a.add(a)
    prof.save(tmp_path / "saved.mtprof")
    assert (tmp_path / "saved.mtprof").stat().st_size <= MOST_BYTES_PER_EVENT * len(prof.events())


def test_a_file_holds_plain_arrays_and_json(saved):
    with zipfile.ZipFile(saved) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                content = np.load(member, allow_pickle=False) if name.endswith(".npy") else json.load(member)
            assert isinstance(content, (np.ndarray, list, dict)) and getattr(content, "ndim", 1) == 1, name


def test_the_documentation_names_every_member_column_and_fact(saved):
    text = DOCS.read_text()
    stated = dict(re.findall(r"^\| `([\w./]+)` \| (.+) \|$", text, re.M))
    for name, declared in file_format.TABLES.items():
        for column in declared:
            assert stated[f"{name}/{column.name}.npy"].endswith(column.doc), column
    for entry in (*file_format.WORDS, *file_format.FACTS):
        assert stated[entry.name].replace("\\|", "|") == entry.doc, entry
    with zipfile.ZipFile(saved) as archive:
        assert set(archive.namelist()) - {file_format.FACTS_MEMBER} <= set(stated)
