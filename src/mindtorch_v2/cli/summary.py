"""`mindtorch summary`: a profile in a screenful."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from ..profiler.views.findings.catalogue import findings
from ..profiler.views.steps import PHASES, summary
from . import profile_file, terminal

TOP = 8
MOST_FINDINGS = 4


@click.command("summary", short_help="A profile in a screenful.")
@profile_file.argument
def command(profile: ProfileResults) -> None:
    """Show steps, the ops that lead, and findings with what to do about them."""
    show(profile)


def show(profile: ProfileResults) -> None:
    """Print the summary of a profile."""
    digest = profile.digest()
    steps = digest.steps
    spreads = summary(steps)
    wall = spreads["wall"]
    terminal.show(f"{len(steps)} step{'s' if len(steps) != 1 else ''}, {terminal.times(digest.wall_ns)}", [
        "Phase", "Share", "Median", "p95", "Max"], [
        [phase, terminal.share(spreads[phase].total, wall.total), terminal.times(spreads[phase].median),
         terminal.times(spreads[phase].p95), terminal.times(spreads[phase].greatest)] for phase in ("wall", *PHASES)])
    ops = [row for row in digest.ops() if row.kind == "op"]
    whole = sum(row.self_ns for row in ops)
    click.echo()
    terminal.show("Ops that lead", ["Name", "Self %", "Self", "Calls"], [
        [row.name, terminal.share(row.self_ns, whole), terminal.times(row.self_ns), terminal.counts(row.count)]
        for row in ops[:TOP]])
    for finding in findings(digest)[:MOST_FINDINGS]:
        click.echo(f"\n{terminal.plain(finding.title)}")
        for line in (*finding.evidence, finding.advice):
            click.echo(f"  {terminal.plain(line)}")
