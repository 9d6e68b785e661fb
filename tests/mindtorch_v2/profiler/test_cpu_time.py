"""with_cpu_time: how long threads ran on a processor, beside how long calls lasted."""

from __future__ import annotations

import json
import threading
import time

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import combine, load, profile, record_function
from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.views.cpu_time import UNKNOWN, cpu_ns, self_cpu_ns

from .views.tables import PYTHON, Row, digest, made

ASLEEP_S = 0.03


def timed(table, moments):
    """A table with readings of its thread's processor time."""
    cells = columns.blank(columns.CPU_TIMES, len(moments))
    cells["time_ns"], cells["cpu_ns"] = np.array(moments).T
    cells["thread"][:] = table.threads[0].index
    object.__setattr__(table, "cpu_times", columns.Given(columns.CPU_TIMES, cells))
    return table


def test_time_between_two_readings_is_shared_evenly():
    table = timed(made([Row("outer", 0, 1000), Row("inner", 200, 700), Row("late", 2000, 2100)]),
                  [(0, 50), (500, 550), (1000, 600)])
    ran_ns = cpu_ns(table)
    assert ran_ns.tolist() == [550, 320, 0]  # 300 of it at full speed, 200 at a tenth
    assert self_cpu_ns(table, ran_ns).tolist() == [230, 320, 0]


def test_without_readings_it_is_unknown():
    table = made([Row("outer", 0, 1000)])
    assert cpu_ns(table).tolist() == self_cpu_ns(table, cpu_ns(table)).tolist() == [UNKNOWN]
    assert digest([Row("outer", 0, 1000)]).ops()[0].self_cpu_ns == UNKNOWN


def test_a_function_that_hardly_runs_comes_last():
    from mindtorch_v2.profiler.views.digest import Digest
    rows_ = [Row("user.py(1): waits", 0, 50_000_000, PYTHON), Row("user.py(9): works", 50_000_000, 60_000_000, PYTHON)]
    table = timed(made(rows_), [(0, 0), (50_000_000, 100_000), (60_000_000, 10_100_000)])
    assert [(row.name, row.waits) for row in Digest(table).ops()] == [("user.py(9): works", False),
                                                                      ("user.py(1): waits", True)]


def sleeping() -> None:
    with record_function("asleep"):
        time.sleep(ASLEEP_S)


@pytest.fixture(scope="module")
def prof():
    with profile(with_stack=True, with_cpu_time=True, profile_memory=True) as profiled:
        sleeping()
        thread = threading.Thread(target=sleeping, name="sleeper")
        thread.start()
        thread.join()
        with record_function("awake"):
            began = time.thread_time()
            while time.thread_time() - began < ASLEEP_S:
                torch.ones(2)
    return profiled


def ranges(prof) -> dict[str, list[tuple[int, int]]]:
    cells = prof.columns("events")
    of_range: dict[str, list] = {}
    for name, kind, lasted, ran in zip(cells["name"], cells["kind"], cells["duration_ns"].tolist(),
                                       cells["cpu_ns"].tolist()):
        if kind == "range":
            of_range.setdefault(name, []).append((lasted, ran))
    return of_range


def test_sleep_is_told_from_work(prof):
    of_range = ranges(prof)
    for lasted_ns, ran_ns in of_range["asleep"]:
        assert 0 <= ran_ns < 0.5 * lasted_ns
    (_, ran_ns), = of_range["awake"]
    assert ran_ns > 0.9 * ASLEEP_S * 1e9
    sleeper = next(row for row in prof.digest().threads if row.name == "sleeper")
    assert sleeper.only_waits and 0 <= sleeper.cpu_ns < 0.5 * sleeper.busy_ns


def test_it_is_saved_combined_and_told_apart_from_events(prof, tmp_path):
    prof.save(tmp_path / "run.mtprof")
    loaded = load(tmp_path / "run.mtprof")
    assert ranges(loaded) == ranges(combine([prof])) == ranges(prof)
    assert {event.name for event in prof.events()}.isdisjoint({""})
    assert prof._table("reading it").cpu_times.n_rows > 0


def test_a_chrome_trace_says_it_in_the_fields_that_viewers_read(prof, tmp_path):
    prof.export_chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    asleep = [event for event in events if event["name"] == "asleep" and event["ph"] == "X"]
    assert len(asleep) == 2 and all(event["tdur"] < 0.5 * event["dur"] for event in asleep)
    assert all("tts" in event for event in asleep)


def test_nobody_pays_who_did_not_ask(prof):
    with profile(with_stack=True) as plain:
        with profile(with_cpu_time=True) as inner:
            sleeping()
    assert plain._table("reading it").cpu_times.n_rows == 0
    assert inner._table("reading it").cpu_times.n_rows > 0
    assert max(plain._table("reading it")["scope"].tolist()) < columns.MODULE_RANGE
