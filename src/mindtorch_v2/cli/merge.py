"""`mindtorch merge`: profiles of several processes as one."""

from __future__ import annotations

from pathlib import Path

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("merge", short_help="Profiles of several processes as one.")
@click.argument("profiles", type=profile_file.ProfileFile(), nargs=-1, required=True, metavar="FILE FILE...")
@profile_file.output()
def command(profiles: tuple[ProfileResults, ...], output: Path) -> None:
    """Put the profiles of several processes onto one clock, into one file.

    \b
        mindtorch merge rank0.mtprof rank1.mtprof -o both.mtprof
    """
    from ..profiler import combine
    try:
        combine(profiles).save(output)
    except (OSError, ValueError, RuntimeError) as error:
        raise click.ClickException(profile_file.one_line(error)) from None
    terminal.wrote(output)
