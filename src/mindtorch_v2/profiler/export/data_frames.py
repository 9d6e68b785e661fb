"""Tables of a profile as data frames of other libraries, as files of values, and as answers to SQL."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path

import numpy as np

from .files import writing
from .frames import Column

ROWS_AT_ONCE = 10_000  # that SQLite is given together


def library(name: str, doing: str):
    """A library that is no requirement of ours."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{doing} needs {package}, which is not installed: pip install {package}") from error


def to_pandas(columns: dict[str, Column]):
    return library("pandas", "to_pandas()").DataFrame(columns)


def to_polars(columns: dict[str, Column]):
    return library("polars", "to_polars()").DataFrame(columns)


def to_arrow(columns: dict[str, Column]):
    arrow = library("pyarrow", "to_arrow()")
    return arrow.table({name: arrow.array(cells) for name, cells in columns.items()})


def to_csv(columns: dict[str, Column], path) -> None:
    """Write a line for the names of the columns and one for each row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows_of(columns))
    with writing(path) as out:
        out.write(text.getvalue().encode("utf-8", "surrogatepass"))


def to_parquet(columns: dict[str, Column], path) -> None:
    parquet = library("pyarrow.parquet", "a Parquet file")
    packed = io.BytesIO()
    parquet.write_table(to_arrow(columns), packed)
    with writing(path, compressed=False) as out:
        out.write(packed.getvalue())


def to_sqlite(tables: dict[str, dict[str, Column]], path) -> None:
    """Write tables into a new SQLite database."""
    with closing(sqlite3.connect(":memory:")) as database:
        for name, columns in tables.items():
            _fill(database, name, columns)
        with writing(path, compressed=False) as out:
            out.write(database.serialize())


def _fill(database: sqlite3.Connection, name: str, columns: dict[str, Column]) -> None:
    declared = ", ".join(f'"{column}" {"INTEGER" if _is_whole(cells) else "TEXT"}' for column, cells in columns.items())
    database.execute(f'CREATE TABLE "{name}" ({declared})')
    marks = ", ".join("?" * len(columns))
    rows = rows_of(columns)
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows[begin:begin + ROWS_AT_ONCE])
    database.commit()


def _is_whole(cells: Column) -> bool:
    return isinstance(cells, np.ndarray) or not any(isinstance(cell, str) for cell in cells)


def rows_of(columns: dict[str, Column]) -> list[tuple]:
    """Columns as rows of Python's own numbers and texts."""
    return list(zip(*(cells.tolist() if isinstance(cells, np.ndarray) else cells for cells in columns.values())))


def sql(query: str, tables: dict[str, dict[str, Column]]):
    """The answer of DuckDB to a query over tables, as a relation of its own; nothing outside of them can be reached."""
    duckdb = library("duckdb", "sql()")
    connection = duckdb.connect(":memory:")
    for name, columns in tables.items():
        connection.register(name, to_arrow(columns))
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection.sql(query)


def suffix_of(path) -> str:
    """How the name of a file ends, without what only says that it is compressed."""
    return Path(str(path).removesuffix(".gz")).suffix
