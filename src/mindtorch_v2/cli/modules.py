"""`mindtorch modules`: time, memory and FLOPs by module."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from ..profiler.views.modules import ModuleRow
from . import profile_file, terminal

SUMMED = ("backward", "optimizer", "allocated_bytes", "flops", "parameters")


@click.command("modules", short_help="Time, memory and FLOPs by module.")
@profile_file.argument
@profile_file.limit
def command(profile: ProfileResults, limit: int) -> None:
    """Show forward, backward and optimizer time by qualified module name.

    The profile must have been taken with profile(with_modules=True), as `mindtorch profile` does.

    \b
        mindtorch modules run.mtprof -n 10
    """
    table = profile.digest().module_table
    if not table.rows:
        raise click.ClickException("there are no modules in this profile: take it with profile(with_modules=True)")
    cells = [["  " * row.depth + (row.path or "(model)"), row.kind, terminal.times(all_ns),
              terminal.share(all_ns, table.total), terminal.times(row.forward), terminal.times(row.backward),
              terminal.times(row.optimizer), terminal.times(own_ns), terminal.counts(row.calls),
              terminal.sizes(row.allocated_bytes), terminal.flops(row.flops), terminal.counts(row.parameters)]
             for row, own_ns, all_ns in _with_inner(table.rows)[:limit]]
    cells.append(["(no module)", "", terminal.times(table.other), terminal.share(table.other, table.total), *[""] * 8])
    terminal.show(f"{min(limit, len(table.rows))} of {len(table.rows)} modules, each with those in it", [
        "Module", "Class", "Time", "Share", "Forward", "Backward", "Optimizer", "Own", "Calls", "Allocated", "FLOPs",
        "Parameters"], cells, texts=2)


def _with_inner(rows: list[ModuleRow]) -> list[tuple[ModuleRow, int, int]]:
    """Rows with the sums over the modules in them; the time that is theirs alone; and all of their time."""
    sums, all_ns = list(rows), [row.self_ns for row in rows]
    for place in range(len(rows) - 1, -1, -1):  # each stands behind the one it is in
        above, inner = rows[place].parent, sums[place]
        if above >= 0:
            sums[above] = sums[above]._replace(**{name: getattr(sums[above], name) + getattr(inner, name)
                                                  for name in SUMMED})
            all_ns[above] += all_ns[place]
    return [(row, own.self_ns, ns) for row, own, ns in zip(sums, rows, all_ns)]
