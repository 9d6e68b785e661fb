"""Tables in a terminal: as wide as it is, names shown as text whatever they are made of."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..profiler.export.summary import NOTHING, cells, one_line, share, times  # noqa: F401 - as all commands write them
from ..profiler.views.findings.finding import bytes_text

LEAST_OF_A_NAME, BETWEEN = 24, 2  # characters; between two columns
PIPE_COLUMNS = 160  # where nothing says how wide the reader is


def console(aside: bool = False) -> Console:
    """Where results go, or what is said aside; in a pipe without colours, and wide enough for names."""
    file = sys.stderr if aside else sys.stdout
    is_terminal = file.isatty()
    return Console(file=file, width=None if is_terminal else PIPE_COLUMNS, no_color=not is_terminal, highlight=False)


def show(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1, aside: bool = False,
         go_first: Sequence[str] = ()) -> None:
    """Print a table; the first columns, ``texts`` of them, hold names, which are cut where there is no room. Numbers
    are shown whole or not at all: columns go in the order of ``go_first``, then from the last one on."""
    screen, rows = console(aside), [[one_line(cell) for cell in row] for row in rows]
    shown = _places_with_room(headings, rows, texts, go_first, screen.width)
    left_out = len(headings) - len(shown)
    hint = f" (columns that need a wider terminal: {left_out})" if left_out else ""
    table = Table(title=one_line(title) + hint, title_justify="left", box=None, header_style="bold", pad_edge=False)
    for place in shown:
        is_text = place < texts
        whole = None if is_text else max(map(cells, (headings[place], *(row[place] for row in rows))))
        table.add_column(headings[place], justify="left" if is_text else "right", no_wrap=True, min_width=whole,
                         overflow="ellipsis", ratio=1 if is_text and place == 0 else None)
    for row in rows:
        table.add_row(*(Text(row[place]) for place in shown))
    screen.print(table)


def _places_with_room(headings: Sequence[str], rows: Sequence[Sequence[str]], texts: int, go_first: Sequence[str],
                      width: int) -> list[int]:
    """The columns that fit beside names that can still be read."""
    widths = [max(map(cells, (heading, *(row[place] for row in rows)))) for place, heading in enumerate(headings)]
    widths[:texts] = (min(size, LEAST_OF_A_NAME) for size in widths[:texts])
    shown = list(range(len(headings)))
    numbers = [place for place in reversed(shown) if place >= texts]
    for place in sorted(numbers, key=lambda place: go_first.index(headings[place]) if headings[place] in go_first
                        else len(go_first)):
        if sum(widths[kept] + BETWEEN for kept in shown) - BETWEEN <= width:
            break
        shown.remove(place)
    return shown


def flops(number: float) -> str:
    """FLOPs in thousands, millions and so on."""
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return counts(number)


def sizes(nbytes: float) -> str:
    return bytes_text(nbytes) if nbytes else NOTHING


def counts(number: float) -> str:
    return f"{number:,.0f}" if number else NOTHING


def wrote(path) -> None:
    """Say on the side what was written."""
    click.echo(f"wrote {path}", err=True)
