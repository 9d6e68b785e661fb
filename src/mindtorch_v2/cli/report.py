"""`mindtorch report`: the page about a profile."""

from __future__ import annotations

from pathlib import Path

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("report", short_help="Write the page about a profile.")
@profile_file.argument
@profile_file.output(help="The page to write.")
@click.option("--against", type=profile_file.ProfileFile(), help="An earlier profile to compare with.")
def command(profile: ProfileResults, output: Path, against: ProfileResults | None) -> None:
    """Write one HTML file with everything: it opens from disk and asks for nothing from the network.

    \b
        mindtorch report run.mtprof -o report.html
        mindtorch report after.mtprof --against before.mtprof -o report.html
    """
    try:
        profile.report(output, against)
    except OSError as error:
        raise click.ClickException(profile_file.one_line(error)) from None
    terminal.wrote(output)
