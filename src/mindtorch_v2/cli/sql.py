"""`mindtorch sql`: a question in SQL."""

from __future__ import annotations

import csv
import sys

import click

from ..profiler.export.frames import EVERY_TABLE
from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("sql", short_help="Ask a profile in SQL.")
@profile_file.argument
@click.argument("query")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values instead of a table.")
def command(profile: ProfileResults, query: str, as_csv: bool) -> None:
    """Answer QUERY over the tables events, ops, averages, steps, modules, threads and memory.

    \b
        mindtorch sql run.mtprof "select name, sum(self_ns) / 1e6 ms from events group by name order by ms desc limit 5"
        mindtorch sql run.mtprof "describe events"
    """
    try:
        answer = profile.sql(query)
        headings, rows = (answer.columns, answer.fetchall()) if answer is not None else ([], [])
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    except Exception as error:  # DuckDB's own complaints about the query
        raise click.ClickException(f"{profile_file.one_line(error)} (tables: {', '.join(EVERY_TABLE)})") from None
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([headings, *rows])
    else:
        terminal.show("", headings, [[terminal.NOTHING if cell is None else str(cell) for cell in row] for row in rows],
                      texts=1)
