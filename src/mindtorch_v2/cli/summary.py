"""`mindtorch summary`: a profile in a screenful."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("summary", short_help="A profile in a screenful.")
@profile_file.argument
def command(profile: ProfileResults) -> None:
    """Show steps, the ops that lead, and findings with what to do about them.

    \b
        mindtorch summary run.mtprof
        mindtorch summary trace.json.gz    # of PyTorch's profiler
    """
    click.echo(profile.summary(terminal.console().width))
