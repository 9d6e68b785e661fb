"""`mindtorch profile`: a program under the profiler, with no change to its code."""

from __future__ import annotations

import re
from pathlib import Path

import click

from . import terminal
from .profiled_run import ProfiledRun

_HELP = """Run a program written for PyTorch under the profiler, and write down what it did.

\b
    mindtorch profile train.py --epochs 3
    mindtorch profile -o runs/first --steps 5-15 --memory --stack train.py
    mindtorch profile -m package.train

A step ends when an optimizer takes one, or the last of several that take turns. The folder then holds the saved
profile and report.html, even if the program fails or is interrupted. The exit code is the program's, and everything
after its name is passed on to it.
"""
PROFILE, REPORT = "profile.mtprof", "report.html"
ROWS = 15


class Steps(click.ParamType):
    """Which steps are recorded: 10 is the first ten behind one that warms up, 5-15 those from 5 up to 15."""

    name = "steps"

    def convert(self, value, param, ctx) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
        if match is None:
            self.fail(f"{value!r} names no steps; write 10, or 5-15", param, ctx)
        first, stop = (int(match[1]), int(match[2])) if match[2] else (1, 1 + int(match[1]))
        if first >= stop:
            self.fail(f"{value!r} names no steps: the last comes before the first", param, ctx)
        return first, stop


@click.command("profile", help=_HELP, short_help="Run a program under the profiler.",
               context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-o", "--output", "folder", type=click.Path(file_okay=False, path_type=Path),
              default=Path("mindtorch-profile"), show_default=True, help="The folder to write to.")
@click.option("--steps", type=Steps(),
              help="Record only some steps: 10 (after one to warm up), or 5-15. By default everything.")
@click.option("--shapes", "record_shapes", is_flag=True, help="Record the shapes of inputs.")
@click.option("--memory", "profile_memory", is_flag=True, help="Record memory: allocations and releases.")
@click.option("--stack", "with_stack", is_flag=True, help="Record calls of Python functions.")
@click.option("--flops", "with_flops", is_flag=True, help="Estimate FLOPs.")
@click.option("--cpu-time", "with_cpu_time", is_flag=True,
              help="Record how long calls ran on a processor, beside how long they lasted.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True,
                metavar="(FILE | -m MODULE) [ARGUMENTS]...")
def command(folder: Path, steps: tuple[int, int] | None, program: tuple[str, ...], **switches: bool) -> None:
    """Run, stop, write, and leave as the program did."""
    if program[0].startswith("-") and program[0] != "-m":
        raise click.UsageError(f"No such option: {program[0]}. Options of the program stand behind its file.")
    if program[0] == "-m" and len(program) == 1:
        raise click.UsageError("Argument expected for the -m option.")
    if program[0] != "-m" and not Path(program[0]).is_file():
        raise click.UsageError(f"{program[0]}: no such file.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written to: {error.strerror}") from None
    run = ProfiledRun(program, steps, switches)
    code = run.run()
    _write(run, folder, program[1] if program[0] == "-m" else Path(program[0]).name)
    raise SystemExit(code)


def _write(run: ProfiledRun, folder: Path, title: str) -> None:
    """What there is, whatever became of the program."""
    from . import table
    profile = run.profile
    try:
        profile.save(folder / PROFILE)
        profile.report(folder / REPORT, title=title)
    except OSError as error:
        raise click.ClickException(f"the profile could not be written to {folder}: {error}") from None
    table.show(profile, ROWS, aside=True)
    terminal.wrote(f"{folder / PROFILE} and {folder / REPORT}")
    click.echo(f"mindtorch view {folder / PROFILE}    opens the report", err=True)
