"""Named stretches of a thread's time, as the optimisers, the DataLoader and the user mark them."""

from __future__ import annotations

from . import rows
from .labelled import labelled
from .layout import INPUTS
from .layout import USER_SCOPE as USER_SCOPE
from .names import inputs, names
from .plain_text import name_of_type, shortened, shown


class record_range:  # noqa: N801 - used like a function: with record_range("name"): ...
    """A range that becomes a row if somebody listens; one check if nobody does. A name may come as its number."""

    def __init__(self, name, args=None):
        self.name = name
        self.args = args
        self.row = -1

    def __enter__(self):
        if rows.listening():
            number = self.name if type(self.name) is int else names.number(self.name)
            self.row = rows.open_row(number, USER_SCOPE, -1, given(self.args), 0)
        return self

    def __exit__(self, kind, error, traceback):
        if self.row >= 0:
            rows.close_row(self.row)  # on whatever thread
            self.row = -1


class record_function(record_range):  # noqa: N801 - torch's name
    """Label what happens inside a ``with`` block or a function; generators and coroutines included."""

    def __init__(self, name, args=None):
        if not isinstance(name, str) or not (args is None or isinstance(args, str)):
            refuse(name, args)
        self.name = name
        self.args = args
        self.row = -1

    def __call__(self, function):
        """Every call of the function is a range of its own, so recursion nests."""
        return labelled(function, type(self), self.name, self.args)


def given(args):
    """The number of the text given with a name, if somebody wants inputs."""
    if args is None or not rows.listening() & INPUTS:
        return -1
    return inputs.number((("str", shortened(args)),))


def refuse(name, args):
    """torch's complaint about the first argument that does not fit."""
    wrong = (1, "args", "Optional[str]", args) if isinstance(name, str) else (0, "name", "str", name)
    place, argument, kind, value = wrong
    raise RuntimeError(f"profiler::_record_function_enter_new() Expected a value of type '{kind}' for argument "
                       f"'{argument}' but instead found type '{name_of_type(type(value))}'.\nPosition: {place}\n"
                       f"Value: {shown(value)}")
