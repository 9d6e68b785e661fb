"""A program that runs in this process under a profile: its arguments, its steps, its end."""

from __future__ import annotations

import os
import runpy
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import click

from ..alias import install_as_torch
from ..record import calls

INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended
SECONDS_BETWEEN = 0.5  # two words about progress
OWN = (__file__, runpy.__file__)
# What stands around the program: this command, and what Python and click started it with.
AROUND = (str(Path(__file__).parents[1] / "__main__.py"), str(Path(click.__file__).parent), "<frozen runpy>",
          runpy.__file__, *filter(None, sys.argv[:1]))


class ProfiledRun:
    """A program, the profile it runs under, and how it ended; ``write`` is called with the profile once it is there."""

    def __init__(self, program: tuple[str, ...], steps: tuple[int, int] | None, switches: dict[str, bool],
                 write: Callable):
        from .. import profiler
        calls.hide_files(*AROUND)
        self._program, self._steps, self._write = program, steps, write
        schedule = None if steps is None else self._scheduled
        self.profile = profiler.profile(schedule=schedule, with_modules=True, on_trace_ready=self._ready, **switches)
        self._turns = Turns()
        self.count, self._said = 0, 0.0

    def _scheduled(self, step: int):
        from ..profiler import ProfilerAction
        first, stop = self._steps
        if step == stop - 1:
            return ProfilerAction.RECORD_AND_SAVE
        if step == first - 1:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if first <= step < stop else ProfilerAction.NONE

    def run(self) -> int:
        """Run the program to its end, whatever that is; its exit code."""
        from ..autograd.hooks import add
        from ..optim import step_range
        install_as_torch()
        calls.hide_files(step_range.__file__)  # a step ends in it, and would seem to be called by it
        handle = add(step_range.after_range, self._stepped)
        os._exit = self._stopping(os._exit)
        for about_our_schedule_or_end in ("Profiler ", "A profile was still running"):
            warnings.filterwarnings("ignore", about_our_schedule_or_end)
        self.profile.start()
        try:
            return self._called()
        finally:
            self.profile.stop()
            handle.remove()
            self._end_progress()

    def _stopping(self, leave: Callable) -> Callable:
        """``os._exit``, which leaves no time for anything, with some; children that are forked are left alone."""
        pid = os.getpid()

        def stop_and_leave(status: int) -> None:
            if os.getpid() == pid:
                self.profile.stop()
            leave(status)

        return stop_and_leave

    def _called(self) -> int:
        try:
            if self._program[0] == "-m":
                sys.argv = list(self._program[1:])
                sys.path[0] = str(Path.cwd())
                runpy.run_module(self._program[1], run_name="__main__", alter_sys=True)
            else:
                sys.argv = list(self._program)
                sys.path[0] = str(Path(self._program[0]).resolve().parent)
                runpy.run_path(self._program[0], run_name="__main__")
        except SystemExit as exit_:
            return _code_of(exit_)
        except KeyboardInterrupt as error:
            _show(error)
            return INTERRUPTED
        except BaseException as error:
            _show(error)
            return 1
        return 0

    def _stepped(self, optimizer) -> None:
        if self._turns.end_with(id(optimizer)):
            self.profile.step()
            self.count += 1
            self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._said >= SECONDS_BETWEEN:
            self._said = now
            sys.stderr.write(f"\rstep {self.count:,} ")
            sys.stderr.flush()

    def _ready(self, profile) -> None:
        self._end_progress()
        self._write(profile)

    def _end_progress(self) -> None:
        if self._said:
            sys.stderr.write("\r" + " " * len(f"step {self.count:,} ") + "\r")
            self._said = 0.0


class Turns:
    """Optimizers that take turns, as a GAN's two do: a step of training ends with the one that came last in the round
    before. In the first round that is not known, and it ends with the first."""

    def __init__(self):
        self._round: list[int] = []
        self._last: int | None = None

    def end_with(self, optimizer: int) -> bool:
        """Whether a step ends with this optimizer's, which has just been taken."""
        is_first = not self._round
        if optimizer in self._round:
            self._last, self._round = self._round[-1], []
        self._round.append(optimizer)
        return is_first or optimizer == self._last


def _code_of(exit_: SystemExit) -> int:
    """What Python would make of it."""
    if exit_.code is None or isinstance(exit_.code, int):
        return exit_.code or 0
    print(exit_.code, file=sys.stderr)
    return 1


def _show(error: BaseException) -> None:
    """The program's traceback, without what stands around it here."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and (frames.tb_frame.f_code.co_filename in OWN
                                  or frames.tb_frame.f_code.co_filename.startswith("<frozen runpy")):
        frames = frames.tb_next
    if frames is None and isinstance(error, ImportError):  # Python's words about a program that it does not find
        print(f"Error: {error}", file=sys.stderr)
    else:
        sys.excepthook(type(error), error.with_traceback(frames), frames)  # Python's, or one that the program has set
