"""`mindtorch modules`: time, memory and FLOPs by module."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("modules", short_help="Time, memory and FLOPs by module.")
@profile_file.argument
@profile_file.limit
def command(profile: ProfileResults, limit: int) -> None:
    """Show forward, backward and optimizer time by qualified module name.

    The profile must have been taken with profile(with_modules=True), as `mindtorch profile` does.
    """
    table = profile.digest().module_table
    if not table.rows:
        raise click.ClickException("there are no modules in this profile: take it with profile(with_modules=True)")
    cells = [["  " * row.depth + (row.path or "(model)"), row.kind, terminal.counts(row.calls),
              terminal.times(row.forward), terminal.times(row.self_forward), terminal.times(row.backward),
              terminal.times(row.optimizer), terminal.share(row.self_ns, table.total),
              terminal.sizes(row.allocated_bytes), terminal.flops(row.flops), terminal.counts(row.parameters)]
             for row in table.rows[:limit]]
    cells.append(["(no module)", "", "", "", terminal.times(table.other), "", "",
                  terminal.share(table.other, table.total), "", "", ""])
    terminal.show(f"{min(limit, len(table.rows))} of {len(table.rows)} modules", [
        "Module", "Class", "Calls", "Forward", "Own", "Backward", "Optimizer", "Own %", "Allocated", "FLOPs",
        "Parameters"], cells, texts=2)
