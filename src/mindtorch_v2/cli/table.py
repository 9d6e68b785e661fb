"""`mindtorch table`: sums by name, as key_averages() gives them, with their spread over calls."""

from __future__ import annotations

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file, terminal

# What rows can be sorted by, and the number that decides.
SORTS = {"self": lambda row: row.self_ns + row.self_device_ns, "total": lambda row: row.total_ns + row.total_device_ns,
         "calls": lambda row: row.count, "memory": lambda row: row.self_bytes, "flops": lambda row: row.flops,
         "max": lambda row: row.calls.greatest}
GO_FIRST = ("Min", "p95", "FLOPs", "Max", "Self mem", "On CPU")  # where a terminal is narrow
STACK_DEPTH = 5  # frames that torch's table tells rows apart by


@click.command("table", short_help="Sums by op: time, memory, FLOPs, spread.")
@profile_file.argument
@profile_file.limit
@click.option("--sort", type=click.Choice(list(SORTS)), default="self", show_default=True, help="What leads.")
@click.option("--shapes", is_flag=True, help="A row for each set of input shapes.")
@click.option("--stack", is_flag=True, help="A row for each Python stack.")
@click.option("--python", is_flag=True, help="Python's calls too, not only ops and ranges.")
@click.option("--per-step", is_flag=True, help="How own time is spread over steps, not how calls are.")
@click.option("--torch", "as_torch", is_flag=True, help="Exactly what key_averages().table() prints.")
def command(profile: ProfileResults, limit: int, sort: str, shapes: bool, stack: bool, python: bool, per_step: bool,
            as_torch: bool) -> None:
    """Show where the time goes, by op.

    \b
        mindtorch table run.mtprof
        mindtorch table run.mtprof --sort memory --shapes -n 10
    """
    if as_torch:
        averages = profile.key_averages(group_by_input_shape=shapes, group_by_stack_n=STACK_DEPTH if stack else 0)
        print(averages.table(sort_by="self_cpu_time_total", row_limit=limit))  # to the byte: click would change names
        return
    show(profile, limit, sort, shapes, stack, python, per_step)


def show(profile: ProfileResults, limit: int, sort: str = "self", shapes: bool = False, stack: bool = False,
         python: bool = False, per_step: bool = False, aside: bool = False) -> None:
    """Print the table of a profile."""
    rows = [row for row in profile.digest().ops(shapes, stack) if python or row.kind != "python"]
    whole, is_timed = sum(row.self_ns for row in rows), any(row.self_cpu_ns >= 0 for row in rows)
    rows = sorted(rows, key=lambda row: (row.waits, -SORTS[sort](row)))
    cells = [[row.name, *([row.shapes] if shapes else []), terminal.share(row.self_ns, whole),
              terminal.times(row.self_ns), *([terminal.times(row.self_cpu_ns)] if is_timed else []),
              terminal.times(row.total_ns), terminal.counts(row.count),
              *(terminal.times(place_ns) for place_ns in (row.steps if per_step else row.calls)[2:]),
              terminal.sizes(row.self_bytes), terminal.flops(row.flops)] for row in rows[:limit]]
    headings = ["Name", *(["Shapes"] if shapes else []), "Self %", "Self", *(["On CPU"] if is_timed else []), "Total",
                "Calls", "Min", "Median", "p95", "Max", "Self mem", "FLOPs"]
    terminal.show(f"{min(limit, len(rows))} of {len(rows)} rows, {terminal.times(whole)} in all", headings, cells,
                  texts=2 if shapes else 1, aside=aside, go_first=GO_FIRST)
