"""Iterators of datapipes: every item is a row of the profile, and a new iterator ends the one before."""

from __future__ import annotations

import functools
import inspect

from ....record import rows
from ....record.ranges import record_range
from .named import describe, short_name

_STALE = ("This iterator has been invalidated because another iterator has been created from the same IterDataPipe: "
          "{pipe}\nThis may be caused by multiple references to the same IterDataPipe. We recommend using `.fork()` if "
          "that is necessary.\nFor feedback regarding this single iterator per IterDataPipe constraint, feel free to "
          "comment on this issue: https://github.com/pytorch/data/issues/45.")


def watch(function):
    """An ``__iter__`` whose items are recorded one by one; one that is a generator gives a generator."""
    is_generator = inspect.isgeneratorfunction(function)

    @functools.wraps(function)
    def iterate(self):
        self._iterations = mine = self._iterations + 1
        self.reset()
        items = WatchedIterator(self, function(self), mine, is_generator)
        return (item for item in items) if is_generator else items

    return iterate


class WatchedIterator:
    """The items of a pipe, each taken inside a range of the pipe's name; in everything else the iterator itself."""

    def __init__(self, pipe, items, mine: int, is_generator: bool):
        self._pipe, self._items, self._mine, self._is_generator = pipe, items, mine, is_generator
        self._name = ""

    def __iter__(self) -> WatchedIterator:
        return self

    def __next__(self):
        if not self._name and rows.is_listening():
            self._name = short_name(self._pipe)
        try:
            with record_range(self._name):
                if self._pipe._iterations != self._mine:
                    raise RuntimeError(_STALE.format(pipe=describe(self._pipe)))
                return next(self._items)
        except StopIteration:
            raise
        except Exception as error:
            if self._is_generator and self._pipe._iterations == self._mine:
                _say_where(error, self._pipe)
            raise

    def __getattr__(self, name: str):
        return getattr(self._items, name)


def _say_where(error: Exception, pipe) -> None:
    """Add to an error's text which pipe it came from."""
    told = f"This exception is thrown by __iter__ of {describe(pipe)}"
    if error.args and isinstance(error.args[0], str) and told.split(" of ")[0] not in error.args[0]:
        error.args = (f"{error.args[0]}\n{told}", *error.args[1:])
