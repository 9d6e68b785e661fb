"""`mindtorch export`: a profile as a file of another program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from ..profiler.export import data_frames, frames
from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


def _tables(profile: ProfileResults) -> dict:
    return {name: profile.columns(name) for name in frames.EVERY_TABLE}


# The formats by name, and what writes each.
FORMATS: dict[str, Callable[[ProfileResults, Path], None]] = {
    "chrome": lambda profile, path: profile.export_chrome_trace(path),
    "perfetto": lambda profile, path: profile.export_perfetto(path),
    "tensorboard": lambda profile, path: profile._export_trace(path, for_tensorboard=True),
    "speedscope": lambda profile, path: profile.export_speedscope(path, path.name),
    "stacks": lambda profile, path: profile.export_stacks(path),
    "stacks-with-ops": lambda profile, path: profile.export_stacks(path, with_ops=True),
    "csv": lambda profile, path: profile.to_csv(path),
    "parquet": lambda profile, path: data_frames.to_parquet(profile.columns("events"), path),
    "sqlite": lambda profile, path: data_frames.to_sqlite(_tables(profile), path),
}


@click.command("export", short_help="Write a profile for another program.")
@profile_file.argument
@click.option("--to", "form", required=True, type=click.Choice(list(FORMATS)), help="The format.")
@profile_file.output()
def command(profile: ProfileResults, form: str, output: Path) -> None:
    """Write a profile in the format of another program.

    \b
        mindtorch export run.mtprof --to perfetto -o run.pftrace    # ui.perfetto.dev; small
        mindtorch export run.mtprof --to chrome -o trace.json.gz    # Perfetto, chrome://tracing, HTA
        mindtorch export run.mtprof --to speedscope -o run.speedscope.json
        mindtorch export run.mtprof --to stacks -o stacks.txt       # flamegraph.pl; Python's calls
        mindtorch export run.mtprof --to stacks-with-ops -o stacks.txt
        mindtorch export run.mtprof --to sqlite -o run.db
    """
    try:
        FORMATS[form](profile, output)
    except (OSError, ImportError, ValueError, RuntimeError, AssertionError) as error:  # torch's complaints among them
        raise click.ClickException(profile_file.one_line(error)) from None
    terminal.wrote(output)
