"""`mindtorch info`: what a profile holds and how it was taken."""

from __future__ import annotations

import datetime

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal

NS_PER_S = 10**9
SWITCHES = ("record_shapes", "profile_memory", "with_stack", "with_flops", "with_modules")


@click.command("info", short_help="What a profile holds and how it was taken.")
@profile_file.argument
def command(profile: ProfileResults) -> None:
    """Show when and how a profile was taken, and how much of everything there is in it.

    \b
        mindtorch info run.mtprof
    """
    digest = profile.digest()
    table = digest.table
    window = table.window
    taken = datetime.datetime.fromtimestamp((window.start_ns + window.wall_offset_ns) / NS_PER_S, datetime.UTC)
    facts = {
        "taken": taken.strftime("%Y-%m-%d %H:%M:%S UTC"), "lasted": terminal.times(window.end_ns - window.start_ns),
        "processes": ", ".join(sorted({str(table.pid_of(thread)) for thread in table.threads})) or str(window.pid),
        "threads": ", ".join(thread.name for thread in table.threads) or terminal.NOTHING,
        "recorded": ", ".join(name for name in SWITCHES if getattr(profile, name, False)) or "ops alone",
        "events": f"{len(digest.visible):,}", "names": f"{len(table.names):,}",
        "memory changes": f"{table.memory.n_rows:,}",
        "work on devices": f"{table.device.n_rows:,}", "calls of modules": f"{table.module_ranges.n_rows:,}",
        "dropped events": f"{profile.dropped_events:,}",
    }
    for name, value in facts.items():
        click.echo(f"{name:>18}  {terminal.one_line(value)}")
