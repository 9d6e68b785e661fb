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
    """An ``__iter__`` whose items are recorded one by one."""
    is_generator = inspect.isgeneratorfunction(function)

    @functools.wraps(function)
    def iterate(self):
        self._iterations = mine = self._iterations + 1
        self.reset()
        return _items(self, function(self), mine, is_generator)

    return iterate


def _items(pipe, items, mine: int, is_generator: bool):
    """The items, each taken inside a range of the pipe's name."""
    name = None
    while True:
        if rows.is_listening() and name is None:
            name = short_name(pipe)
        try:
            with record_range(name or ""):
                if pipe._iterations != mine:
                    raise RuntimeError(_STALE.format(pipe=describe(pipe)))
                item = next(items)
        except StopIteration:
            return
        except Exception as error:
            if is_generator and pipe._iterations == mine:
                _say_where(error, pipe)
            raise
        yield item


def _say_where(error: Exception, pipe) -> None:
    """Add to an error's text which pipe it came from."""
    told = f"This exception is thrown by __iter__ of {describe(pipe)}"
    if error.args and isinstance(error.args[0], str) and told.split(" of ")[0] not in error.args[0]:
        error.args = (f"{error.args[0]}\n{told}", *error.args[1:])
