"""Tables of a profile as columns, data frames, files and answers to SQL; their sums are those of key_averages()."""

from __future__ import annotations

import csv
import sqlite3

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.export.frames import EVERY_TABLE


@pytest.fixture(scope="module")
def prof():
    model = torch.nn.Linear(3, 2)
    with profile(record_shapes=True, profile_memory=True, with_modules=True) as prof:
        for _ in range(2):
            model(torch.ones(4, 3)).sum().backward()
            prof.step()
    return prof


def test_own_times_of_events_add_up_to_those_of_averages(prof):
    columns = prof.columns("events")
    totals: dict[str, int] = {}
    for name, self_ns in zip(columns["name"], columns["self_ns"].tolist()):
        totals[name] = totals.get(name, 0) + self_ns
    for row in prof.key_averages():
        assert totals[row.key] / 1000 == pytest.approx(row.self_cpu_time_total, abs=1e-6)


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_columns_of_a_table_are_of_one_length(prof, table):
    columns = prof.columns(table)
    assert len({len(cells) for cells in columns.values()}) == 1


@pytest.mark.parametrize(("method", "library"), [("to_pandas", "pandas"), ("to_polars", "polars"),
                                                 ("to_arrow", "pyarrow")])
def test_data_frames_have_a_row_for_every_event(prof, method, library):
    pytest.importorskip(library)
    assert len(getattr(prof, method)()) == len(prof.events())


def test_csv_reads_back(prof, tmp_path):
    prof.to_csv(tmp_path / "events.csv")
    with open(tmp_path / "events.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == prof.columns("events")["name"]


def test_sqlite_holds_all_tables(prof, tmp_path):
    from mindtorch_v2.profiler.export.data_frames import to_sqlite
    to_sqlite({name: prof.columns(name) for name in EVERY_TABLE}, tmp_path / "run.db")
    with sqlite3.connect(tmp_path / "run.db") as database:
        names = {name for name, in database.execute("select name from sqlite_master")}
        assert names == set(EVERY_TABLE)
        assert database.execute("select count(*) from events").fetchone()[0] == len(prof.events())


def test_sql_answers(prof):
    pytest.importorskip("duckdb")
    assert prof.sql("select count(*) from events where name = 'aten::addmm'").fetchall() == [(2,)]


def test_a_missing_library_is_named_with_what_to_do(prof, monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_pandas\(\) needs pandas, which is not installed: pip install pandas"):
        prof.to_pandas()


def test_an_unknown_table_is_refused_by_naming_those_there_are(prof):
    with pytest.raises(ValueError, match="no table 'event'; it has events, ops, steps, modules, threads, memory, aver"):
        prof.columns("event")
