"""What notebooks show below a cell: a profile with a small timeline, averages and events as tables. Names are text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from ..table.event_table import EventTable
from ..views import tree
from ..views.digest import Digest
from ..views.findings.catalogue import findings
from ..views.findings.finding import bytes_text, time_text
from ..views.op_table import OP, PYTHON, RANGE, row_kinds
from ..views.steps import PHASES
from ..views.steps import summary as spreads_of
from ..views.waiting import waits
from .summary import cells, one_line, share, times

TOP, MOST_ROWS = 10, 25
MOST_FINDINGS = 3
WIDTH, ROW_HEIGHT, MOST_HEIGHT, LETTER_WIDTH = 960, 14, 200, 6.5
MOST_LEVELS, MOST_SLICES = 6, 500
LEAST_WIDTH = 0.5  # of a slice that is drawn
MOST_OF_A_NAME = 80
COLOURS = {OP: "#3b6a9b", RANGE: "#a8660c", PYTHON: "#6b7079"}
PHASE_COLOURS = dict(zip(PHASES, ("#e45756", "#4c78a8", "#72b7b2", "#eeca3b", "#9d9da1")))
CELL = "text-align:right;padding:1px 10px"
NAME_CELL = "text-align:left;padding:1px 10px;font-family:monospace"


def shown(name: str) -> str:
    """A name as text of a page, on one line and not too long."""
    name = one_line(name)
    return escape(name if len(name) <= MOST_OF_A_NAME else name[:MOST_OF_A_NAME - 1] + "…")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table; the first column holds names."""
    def line(row: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{CELL if place else NAME_CELL}">{shown(cell)}</{tag}>'
                                for place, cell in enumerate(row)) + "</tr>"

    said = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return (f"<table>{said}<thead>{line(headings, 'th')}</thead>"
            f"<tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>")


def profile_html(digest: Digest) -> str:
    """A profile: its steps, a timeline, the ops that lead and what to change."""
    steps, spreads = digest.steps, spreads_of(digest.steps)
    wall = spreads["wall"]
    ops = [row for row in digest.ops() if row.kind == "op"]
    whole = sum(row.self_ns for row in ops)
    said = [f"<li><b>{shown(finding.title)}</b> {escape(one_line(finding.advice))}</li>"
            for finding in findings(digest)[:MOST_FINDINGS]]
    return "".join([
        f"<div><p><b>{len(steps)} step{'s' if len(steps) != 1 else ''}, {times(digest.wall_ns)}</b>; a step takes "
        f"{times(wall.median)}, 95 % of them no more than {times(wall.p95)}.</p>",
        _bar([(phase, spreads[phase].total) for phase in PHASES]), timeline_svg(digest.visible.table),
        table(["Ops that lead", "Self %", "Self", "Calls", "Median", "p95", "Max"], [
            [row.name, share(row.self_ns, whole), times(row.self_ns), f"{row.count:,}", times(row.calls.median),
             times(row.calls.p95), times(row.calls.greatest)] for row in ops[:TOP]]),
        f"<ul>{''.join(said)}</ul>" if said else "", "</div>"])


def _bar(parts: list[tuple[str, int]]) -> str:
    """What steps spend their time on, as one bar with its legend."""
    whole = sum(part for _, part in parts)
    if not whole:
        return ""
    there = [(name, part) for name, part in parts if part]
    pieces = "".join(f'<span title="{name} {share(part, whole)}" style="width:{100 * part / whole:.2f}%;'
                     f'background:{PHASE_COLOURS[name]}"></span>' for name, part in there)
    legend = " ".join(f'<span style="margin-right:12px"><span style="color:{PHASE_COLOURS[name]}">■</span> '
                      f"{name} {share(part, whole)}</span>" for name, part in there)
    return f'<div style="display:flex;height:12px;max-width:{WIDTH}px">{pieces}</div><p>{legend}</p>'


def timeline_svg(events: EventTable) -> str:
    """The busiest threads with their ranges and ops, or Python's calls where there are no others; longest first."""
    start_ns, lasted_ns = events.window.start_ns, max(1, events.window.end_ns - events.window.start_ns)
    kinds = row_kinds(events)
    drawn = np.isin(kinds, (OP, RANGE)) if np.isin(kinds, (OP, RANGE)).any() else kinds == PYTHON
    level = tree.depths(np.where(drawn, tree.kept_parents(events["parent"], drawn), -1))
    width = (events["end_ns"] - events["start_ns"]) * (WIDTH / lasted_ns)
    rows = np.flatnonzero(drawn & (level < MOST_LEVELS) & (width >= LEAST_WIDTH))
    rows = rows[np.argsort(-width[rows], kind="stable")[:MOST_SLICES]]
    pieces, top = [], 0
    for thread in sorted(events.threads, key=lambda one: -width[rows[events["thread"][rows] == one.index]].sum()):
        mine = rows[events["thread"][rows] == thread.index]
        if not len(mine) or top > MOST_HEIGHT:
            continue
        pieces.append(_label(0, top, thread.name, "currentColor"))
        top += ROW_HEIGHT
        for row in mine.tolist():
            x = (int(events["start_ns"][row]) - start_ns) * WIDTH / lasted_ns
            name, y = events.names[events["name"][row]][0], top + int(level[row]) * ROW_HEIGHT
            long = time_text(int(events["end_ns"][row] - events["start_ns"][row]))
            pieces.append(f'<rect x="{x:.1f}" y="{y}" width="{width[row]:.1f}" height="{ROW_HEIGHT - 1}" '
                          f'fill="{COLOURS[kinds[row]]}"><title>{shown(name)} {long}</title></rect>')
            if cells(name) * LETTER_WIDTH < width[row]:
                pieces.append(_label(x + 2, y, name, "#fff"))
        top += (int(level[mine].max()) + 1) * ROW_HEIGHT + 4
    if not pieces:
        return ""
    return (f'<svg viewBox="0 0 {WIDTH} {top}" width="100%" style="max-width:{WIDTH}px" role="img" '
            f'aria-label="Timeline of {times(lasted_ns)}">{"".join(pieces)}</svg>')


def _label(x: float, top: int, name: str, colour: str) -> str:
    return (f'<text x="{x:.1f}" y="{top + ROW_HEIGHT - 4}" font-size="11" fill="{colour}" '
            f'pointer-events="none">{shown(name)}</text>')


def averages_html(rows: Sequence) -> str:
    """Averages, those with most time of their own; behind all others what only waits."""
    whole = sum(row.self_cpu_time_total for row in rows)
    ranked = sorted(rows, key=lambda row: (waits(row.key), -row.self_cpu_time_total))[:MOST_ROWS]
    return table(["Name", "Self CPU %", "Self CPU", "CPU total", "Calls", "Mean", "Self CPU memory"], [
        [row.key, share(row.self_cpu_time_total, whole), _us(row.self_cpu_time_total), _us(row.cpu_time_total),
         f"{row.count:,}", _us(row.cpu_time), bytes_text(row.self_cpu_memory_usage)] for row in ranked],
        f"{len(ranked)} of {len(rows):,} rows, those with most time of their own")


def events_html(rows: Sequence) -> str:
    """Events, the first ones."""
    return table(["Name", "Start", "Duration", "Self CPU", "Thread"], [
        [row.name, _us(row.time_range.start), _us(row.time_range.elapsed_us()), _us(row.self_cpu_time_total),
         str(row.thread)] for row in rows[:MOST_ROWS]],
        f"the first {min(MOST_ROWS, len(rows))} of {len(rows):,} events")


def _us(time_us: float) -> str:
    return time_text(time_us * 1000)
