"""`mindtorch diff`: what changed from one profile to another."""

from __future__ import annotations

import math

import click

from ..profiler.results.profile_results import ProfileResults
from ..profiler.views.difference import DifferenceRow, difference
from . import profile_file, terminal


class Percent(click.ParamType):
    """A share such as 10%."""

    name = "percent"

    def convert(self, value, param, ctx) -> float:
        try:
            percent = float(str(value).removesuffix("%"))
        except ValueError:
            percent = math.nan
        return percent if 0 <= percent < math.inf else self.fail(f"{value!r} is no share; write it as 10%", param, ctx)


@click.command("diff", short_help="What changed from one profile to another.")
@click.argument("before", type=profile_file.ProfileFile(), metavar="A")
@click.argument("after", type=profile_file.ProfileFile(), metavar="B")
@profile_file.limit
@click.option("--fail-over", type=Percent(), help="Exit with 1 if a step of B takes so much longer than one of A.")
def command(before: ProfileResults, after: ProfileResults, limit: int, fail_over: float | None) -> None:
    """Match the rows of A and B by name and shapes, and show what changed per step. Where one of them was taken
    without shapes, names are matched alone.

    Changes that are more than the steps differ among themselves are marked with *.

    \b
        mindtorch diff before.mtprof after.mtprof
        mindtorch diff main.mtprof branch.mtprof --fail-over 10%    # for CI
    """
    change = difference(before.digest(), after.digest())
    terminal.show("Steps", HEADINGS, [_cells(row) for row in change.phases])
    click.echo()
    changed = [row for row in change.rows if row.kind != "python" and (row.change_ns or row.before != row.after)]
    terminal.show(f"{min(limit, len(changed))} of {len(changed)} rows that differ, per step", HEADINGS,
                  [_cells(row) for row in changed[:limit]])
    if fail_over is None:
        return
    step = change.phases[0]
    if not step.before.self_ns or not step.after.self_ns:
        raise click.ClickException("there is no step to compare in one of the profiles")
    grown = 100 * step.change_ns / step.before.self_ns
    if grown > fail_over:
        raise click.ClickException(f"a step takes {grown:.1f} % longer, which is more than {fail_over:g} %")


HEADINGS = ["Name", "Calls A", "Calls B", "Self A", "Self B", "Change", "±", "Change %", "Bytes A", "Bytes B", ""]


def _cells(row: DifferenceRow) -> list[str]:
    before, after = row.before, row.after
    name = f"{row.name} {row.shapes}" if row.shapes not in ("", "[]") else row.name
    return [name, terminal.counts(before.count), terminal.counts(after.count), terminal.times(before.self_ns),
            terminal.times(after.self_ns), terminal.times(row.change_ns), terminal.times(row.error_ns),
            terminal.share(row.change_ns, before.self_ns), terminal.sizes(before.self_bytes),
            terminal.sizes(after.self_bytes), "*" if row.is_sure else ""]
