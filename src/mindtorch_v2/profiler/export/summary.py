"""A profile in a screenful: steps and their phases, the ops that lead, what to change."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from ..views.digest import Digest
from ..views.findings.catalogue import findings
from ..views.findings.finding import time_text
from ..views.steps import PHASES
from ..views.steps import summary as spreads_of
from .shown import Shown

TOP = 6
MOST_FINDINGS = 4
NOTHING = "–"
INDENT = "   "
ENDS_OF_LINES = ("Zl", "Zp")  # kinds of characters


def summary(digest: Digest, width: int = 100) -> Shown:
    """Steps and phases, ops and findings, in lines of no more than that many characters."""
    steps, spreads = digest.steps, spreads_of(digest.steps)
    phases = [[phase, share(spreads[phase].total, spreads["wall"].total), times(spreads[phase].median),
               times(spreads[phase].p95), times(spreads[phase].greatest)] for phase in ("wall", *PHASES)]
    ops = [row for row in digest.ops() if row.kind == "op"]
    whole = sum(row.self_ns for row in ops)
    leading = [[row.name, share(row.self_ns, whole), times(row.self_ns), f"{row.count:,}", times(row.calls.median),
                times(row.calls.p95)] for row in ops[:TOP]]
    lines = [f"{len(steps)} step{'s' if len(steps) != 1 else ''}, {times(digest.wall_ns)}",
             *columns(["Phase", "Share", "Median", "p95", "Max"], phases, width), "",
             *columns(["Ops that lead", "Self %", "Self", "Calls", "Median", "p95"], leading, width)]
    for number, finding in enumerate(findings(digest)[:MOST_FINDINGS], 1):
        lines += ["", *wrapped(f"{number}. {finding.title}", width),
                  *(line for part in (*finding.evidence, finding.advice)
                    for line in wrapped(part, width - len(INDENT), INDENT))]
    return Shown("\n".join(lines))


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Lines of a table: names to the left, cut where there is no room, and numbers to the right."""
    rows = [[one_line(row[0]), *row[1:]] for row in rows]
    widths = [max(cells(row[place]) for row in (headings, *rows)) for place in range(len(headings))]
    widths[0] = min(widths[0], width - sum(2 + size for size in widths[1:]))
    return ["  ".join([_fit(name, widths[0]), *(" " * (size - cells(cell)) + cell
                                                for cell, size in zip(numbers, widths[1:]))])
            for name, *numbers in (headings, *rows)]


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(one_line(text), width, initial_indent=indent, subsequent_indent=indent or INDENT)


def one_line(name: str) -> str:
    """A name on one line: control characters, among them those of terminals, and ends of lines as their escapes."""
    return "".join(c.encode("unicode_escape", "backslashreplace").decode() if unicodedata.category(c)[0] == "C"
                   or unicodedata.category(c) in ENDS_OF_LINES else c for c in name)


def cells(text: str) -> int:
    """How many places of a terminal a text takes: two for a wide letter, none for an accent on the letter before."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _fit(text: str, width: int) -> str:
    if cells(text) > width:
        while cells(text) >= width:
            text = text[:-1]
        text += "…"
    return text + " " * (width - cells(text))


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def times(ns: float) -> str:
    return time_text(ns) if ns else NOTHING
