"""`mindtorch memory`: what is alive when memory is fullest."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal


@click.command("memory", short_help="What is alive when memory is fullest.")
@profile_file.argument
@profile_file.limit
def command(profile: ProfileResults, limit: int) -> None:
    """Show who allocated what is alive at the fullest moment.

    The profile must have been taken with profile(profile_memory=True), or `mindtorch profile --memory`.

    \b
        mindtorch memory run.mtprof -n 10
    """
    digest = profile.digest()
    peak = digest.peak
    if peak is None:
        raise click.ClickException("there is no memory in this profile: take it with profile(profile_memory=True)")
    after_ns = peak.time_ns - digest.table.window.start_ns
    title = (f"{terminal.sizes(peak.total_bytes)} alive after {terminal.times(after_ns)}; "
             f"{terminal.sizes(peak.before_bytes)} of it from before the profile")
    terminal.show(title, ["Allocated by", "Module", "Blocks", "Bytes", "Largest"], [
        [row.op or "(outside of ops)", row.module, terminal.counts(row.blocks), terminal.sizes(row.total_bytes),
         terminal.sizes(row.largest_bytes)] for row in digest.peak_holders[:limit]], texts=2)
