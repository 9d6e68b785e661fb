"""A process under a profile: its steps end with those of its optimizers, and it is recorded however it ends."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable

from .turns import Turns

SECONDS_BETWEEN = 0.5  # two words about progress


class ProcessRecording:
    """The profile of this process. ``write`` is called with it once it is there; in children that are forked, which go
    on recording for themselves, ``write_child`` is."""

    def __init__(self, steps: tuple[int, int] | None, switches: dict[str, bool], write: Callable,
                 write_child: Callable):
        from .. import profiler
        self._steps, self._write, self._write_child = steps, write, write_child
        schedule = None if steps is None else self._scheduled
        self.profile = profiler.profile(schedule=schedule, with_modules=True, on_trace_ready=self._ready, **switches)
        self._turns = Turns()
        self._is_child = False
        self.when_leaving: Callable | None = None  # by os._exit, which calls nothing else
        self.count, self._said = 0, 0.0

    def _scheduled(self, step: int):
        from ..profiler import ProfilerAction
        first, stop = self._steps
        if step == stop - 1:
            return ProfilerAction.RECORD_AND_SAVE
        if step == first - 1:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if first <= step < stop else ProfilerAction.NONE

    def start(self) -> None:
        """Record from here on."""
        from ..autograd.hooks import add
        from ..optim import step_range
        from ..record import calls
        calls.hide_files(step_range.__file__)  # a step ends in it, and would seem to be called by it
        self._handle = add(step_range.after_range, self._stepped)
        os._exit = self._stopping(os._exit)
        for about_our_schedule_or_end in ("Profiler ", "A profile was still running"):
            warnings.filterwarnings("ignore", about_our_schedule_or_end)
        self.profile.start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._go_on_in_child)

    def stop(self) -> None:
        """Record no more."""
        self.profile.stop()
        self._handle.remove()
        self._end_progress()

    def _go_on_in_child(self) -> None:
        """A forked child records its own, and leaves it behind when it ends."""
        from ..profiler.session import endings
        if self.profile._running:
            self._is_child, self._said = True, 0.0
            endings.begins(self.profile)

    def _stopping(self, leave: Callable) -> Callable:
        """``os._exit``, which leaves no time for anything, with some."""
        def stop_and_leave(status: int) -> None:
            self.profile.stop()
            if self.when_leaving is not None and not self._is_child:
                self.when_leaving()
            leave(status)

        return stop_and_leave

    def _stepped(self, optimizer) -> None:
        if self._turns.end_with(id(optimizer)):
            self.profile.step()
            self.count += 1
            self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        if not self._is_child and sys.stderr.isatty() and now - self._said >= SECONDS_BETWEEN:
            self._said = now
            sys.stderr.write(f"\rstep {self.count:,} ")
            sys.stderr.flush()

    def _ready(self, profile) -> None:
        self._end_progress()
        (self._write_child if self._is_child else self._write)(profile)

    def _end_progress(self) -> None:
        if self._said:
            sys.stderr.write("\r" + " " * len(f"step {self.count:,} ") + "\r")
            self._said = 0.0
