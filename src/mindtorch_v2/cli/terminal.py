"""Tables in a terminal: as wide as it is, names shown as text whatever they are made of."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..profiler.views.findings.finding import bytes_text, time_text

NOTHING = "–"
PIPE_COLUMNS = 160  # where nothing says how wide the reader is


def console(aside: bool = False) -> Console:
    """Where results go, or what is said aside; in a pipe without colours, and wide enough for names."""
    file = sys.stderr if aside else sys.stdout
    is_terminal = file.isatty()
    return Console(file=file, width=None if is_terminal else PIPE_COLUMNS, no_color=not is_terminal, highlight=False)


def plain(name: str) -> str:
    """A name on one line: control characters, among them those of terminals, as their escapes."""
    return "".join(c if unicodedata.category(c)[0] != "C" else c.encode("unicode_escape", "backslashreplace").decode()
                   for c in name)


def show(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1,
         aside: bool = False) -> None:
    """Print a table; the first columns, ``texts`` of them, hold names, which give way where there is no room."""
    table = Table(title=plain(title), title_justify="left", box=None, header_style="bold", pad_edge=False)
    for place, heading in enumerate(headings):
        is_text = place < texts
        table.add_column(heading, justify="left" if is_text else "right", no_wrap=True,
                         overflow="ellipsis", ratio=1 if is_text and place == 0 else None)
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    console(aside).print(table)


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def times(ns: float) -> str:
    return time_text(ns) if ns else NOTHING


def sizes(nbytes: float) -> str:
    return bytes_text(nbytes) if nbytes else NOTHING


def counts(number: float) -> str:
    return f"{number:,.0f}" if number else NOTHING


def wrote(path) -> None:
    """Say on the side what was written."""
    click.echo(f"wrote {path}", err=True)
