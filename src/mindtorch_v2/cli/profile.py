"""`mindtorch profile`: a program under the profiler, with no change to its code."""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Callable
from pathlib import Path

import click

from ..profiler.results.profile_results import ProfileResults
from ..profiler.session import endings
from ..profiler.views.findings.finding import counted
from . import terminal
from .child_processes import ChildProcesses
from .process_recording import ProcessRecording
from .profiled_run import run
from .program import Program

_HELP = """Run a program written for PyTorch under the profiler, and write down what it did.

\b
    mindtorch profile train.py --epochs 3
    mindtorch profile -o runs/first --steps 5-15 --memory --stack train.py
    mindtorch profile -m package.train

A step ends when an optimizer takes one, or the last of several that take turns. The folder then holds the saved
profile and report.html, even if the program fails or is interrupted. Processes that the program starts are recorded,
too, if they import torch. The exit code is the program's, and everything after its name is passed on to it.
"""
PROFILE, REPORT = "profile.mtprof", "report.html"
ROWS = 15
NO_SUCH_FILE = 2  # Python's exit code where there is no program


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
            self.fail(f"{value!r} names no steps; write 10, or 5-15 for those from 5 up to 15", param, ctx)
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
@click.argument("program", nargs=-1, type=Program(), required=True,
                metavar="(FILE | -m MODULE) [ARGUMENTS]...")
def command(folder: Path, steps: tuple[int, int] | None, program: tuple[str, ...], **switches: bool) -> None:
    """Run, stop, write, and leave as the program did."""
    if program[0].startswith("-") and program[0] != "-m":
        raise click.UsageError(f"No such option: {program[0]}. Options of the program stand behind its file.")
    if program[0] == "-m" and len(program) == 1:
        raise click.UsageError("Argument expected for the -m option.")
    if program[0] != "-m" and not Path(program[0]).exists():
        click.echo(f"Error: {program[0]}: no such file", err=True)
        raise SystemExit(NO_SUCH_FILE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written to: {error.strerror}") from None
    children = ChildProcesses(folder, steps, switches)
    files = Files(folder, program[1] if program[0] == "-m" else Path(program[0]).name, children)
    recording = ProcessRecording(steps, switches, files.write, children.write)
    recording.when_leaving = files.finish
    _when_processes_have_ended(files.finish)
    code = run(program, recording)
    if files.is_inherited:
        raise SystemExit(code)
    files.join()
    if files.failure is None and files.written is None:
        files.failure = (f"nothing was recorded: optimizers took {recording.count:,} steps, and --steps asks for later "
                         "ones" if recording.count else "nothing was recorded: no optimizer took a step; try it "
                         "without --steps")
    if files.failure is not None:
        click.echo(f"Error: {files.failure}", err=True)
        raise SystemExit(code or 1)
    _show(files)
    raise SystemExit(code)


def _when_processes_have_ended(function: Callable[[], None]) -> None:
    """Call a function at exit, after the program's own and after multiprocessing has waited for its processes."""
    from multiprocessing import util
    atexit.unregister(util._exit_function)
    atexit.register(function)
    atexit.register(util._exit_function)


class Files:
    """What is written of a profile, as soon as there is one, whatever becomes of the program."""

    def __init__(self, folder: Path, title: str, children: ChildProcesses):
        self._title, self._children, self.failure = title, children, None
        self._own: ProfileResults | None = None  # the profile of this process
        self.written: ProfileResults | None = None
        self._n_children = 0
        self.profile, self._report, self._here, self._pid = folder / PROFILE, folder / REPORT, Path.cwd(), os.getpid()

    @property
    def is_inherited(self) -> bool:
        """Whether this is a child that the program forked: the profile is its parent's."""
        return os.getpid() != self._pid

    def write(self, profile: ProfileResults, also: str = "") -> None:
        """Write both files, wherever the program has gone since; it does not hear of a disk that is full."""
        try:
            profile = profile.with_workers() if hasattr(profile, "with_workers") else profile
            profile.save(self._here / self.profile)
            profile.report(self._here / self._report, title=self._title)
            self._own, self.written = self._own or profile, profile
            terminal.wrote(f"{self.profile} and {self._report}{also}")
        except OSError as error:
            self.failure = f"the profile could not be written to {self.profile.parent}: {error}"
        if endings.is_killed():  # nothing else will be called
            self.finish()

    def join(self) -> None:
        """Write both files again with what processes that the program started have left behind since."""
        from ..profiler import combine
        if self.is_inherited or self.failure is not None:
            return
        children = self._children.profiles()
        if len(children) > self._n_children:
            self._n_children = len(children)
            own = [] if self._own is None else [self._own]
            self.write(combine([*own, *children]), f", with {counted(len(children), 'profile')} of child processes")

    def finish(self) -> None:
        """The same for the last time."""
        self.join()
        if not self.is_inherited:
            self._children.clear()


def _show(files: Files) -> None:
    from . import table
    if len(files.written.events()):
        table.show(files.written, ROWS, aside=True)
    else:
        click.echo("no op was recorded: the program called none", err=True)
    click.echo(f"mindtorch view {files.profile}    opens the report", err=True)
