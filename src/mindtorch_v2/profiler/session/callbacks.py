"""What the user hands to a profile is called here: its errors are told as warnings and do not reach the program."""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Callable
from functools import partial

from ...core.user_warning import Line, warn_user
from ...record import interrupts
from ...record.interrupts import interruptible

POLICIES = ("warn", "raise")
RAISE = 'callback_errors="raise" has such errors raised, as PyTorch does.'


class Callbacks:
    """Calls the user's functions; what went wrong waits until the profile has changed its state, and is then told."""

    def __init__(self, errors: str = "warn"):
        if errors not in POLICIES:
            raise ValueError(f"callback_errors should be one of {POLICIES}, but got {errors!r}")
        self._raises = errors == "raise"
        self._untold: list[Callable[[], None]] = []
        self.begun_at: Line | None = None  # where the profile was started: warnings point there if nobody calls

    def fresh(self) -> Callbacks:
        """Another one of the same policy, that has nothing to tell."""
        return Callbacks("raise" if self._raises else "warn")

    def call(self, name: str, function: Callable, *args, consequence: str = "The profile goes on.") -> bool:
        """Call a function; whether it succeeded."""
        try:
            interruptible(function, *args)
        except Exception as error:
            self.note(name, error, consequence)
            return False
        return True

    def trace_id(self, callback: Callable[[], str]) -> str:
        """The user's name for a trace, or a new one where that cannot be had."""
        try:
            name = interruptible(callback)
            if not isinstance(name, str):
                raise TypeError(f"a trace id should be a str, but custom_trace_id_callback returned {name!r}")
            return name
        except Exception as error:
            self.note("custom_trace_id_callback", error, "The trace has an id of its own.")
            return new_trace_id()

    def note(self, name: str, error: Exception, consequence: str) -> None:
        """Keep an error until it is told, or raise it if that is wanted."""
        if self._raises:
            raise error
        said = traceback.format_exception_only(error)[-1].strip()
        self.tell_later(f"{name} failed: {said}. {consequence} {RAISE}\n" + _traceback_text(error))

    def tell_later(self, message: str, warn: Callable | None = None) -> None:
        """Keep a warning until the profile has changed its state: a filter may make an error of it."""
        if warn is None:
            warn = partial(warn_user, each_time=True, otherwise=self.begun_at)
        self._untold.append(partial(warn, message))

    def tell(self) -> None:
        """Give the warnings that were kept."""
        while self._untold:
            self._untold.pop(0)()


def _traceback_text(error: Exception) -> str:
    """The traceback, from the user's function on."""
    frames = error.__traceback__
    while frames.tb_next is not None and frames.tb_frame.f_code.co_filename in (__file__, interrupts.__file__):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def new_trace_id() -> str:
    """A name that no other trace has."""
    return uuid.uuid4().hex.upper()
