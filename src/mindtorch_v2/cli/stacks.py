"""`mindtorch stacks`: the stacks that take most time."""

from __future__ import annotations

import click
import numpy as np

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("stacks", short_help="The stacks that take most time.")
@profile_file.argument
@profile_file.limit
def command(profile: ProfileResults, limit: int) -> None:
    """Show the stacks whose own time is longest, ops and ranges as frames.

    \b
        mindtorch stacks run.mtprof -n 5
        mindtorch export run.mtprof --to stacks -o stacks.txt    # for flamegraph.pl
    """
    frames = profile.digest().top_down
    longest = np.argsort(-frames.self_ns, kind="stable")[:limit]
    whole = int(frames.self_ns.sum())
    for frame in longest.tolist():
        self_ns = int(frames.self_ns[frame])
        if not self_ns:
            break
        click.echo(f"{terminal.share(self_ns, whole):>7}  {terminal.times(self_ns)}")
        for name in reversed(frames.path(frame)):
            click.echo(f"         {terminal.one_line(name)}")
