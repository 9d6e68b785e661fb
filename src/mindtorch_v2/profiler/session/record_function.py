"""The user's own ranges: as a context, as a decorator, and the lean form with values."""

from __future__ import annotations

import functools
import inspect

from ...core.tensor import Tensor
from ...record import rows
from ...record.names import inputs, names
from ...record.ranges import USER_SCOPE, record_range


class record_function(record_range):  # noqa: N801 - torch's name
    """Label what happens inside a ``with`` block or a function; generators and coroutines included."""

    def __init__(self, name: str, args: str | None = None):
        if not isinstance(name, str) or not (args is None or isinstance(args, str)):
            _refuse(name, args)
        self.name = name
        self.args = args

    def __call__(self, function):
        """Every call of the function is a range of its own, so recursion nests."""
        again = functools.partial(type(self), self.name, self.args)
        if inspect.iscoroutinefunction(function):
            async def labelled(*args, **kwargs):
                with again():
                    return await function(*args, **kwargs)
        elif inspect.isgeneratorfunction(function):
            def labelled(*args, **kwargs):
                with again():
                    return (yield from function(*args, **kwargs))
        else:
            def labelled(*args, **kwargs):
                with again():
                    return function(*args, **kwargs)
        return functools.wraps(function)(labelled)


def _refuse(name, args) -> None:
    """torch's complaint about the first argument that does not fit."""
    wrong = (1, "args", "Optional[str]", args) if isinstance(name, str) else (0, "name", "str", name)
    place, argument, kind, value = wrong
    raise RuntimeError(f"profiler::_record_function_enter_new() Expected a value of type '{kind}' for argument "
                       f"'{argument}' but instead found type '{type(value).__name__}'.\nPosition: {place}\n"
                       f"Value: {value}")


class _RecordFunctionFast(record_range):
    """A range with values and keyword values; shown as an op unless its scope is ``user_scope``."""

    def __init__(self, name: str, input_values=(), keyword_values=None, scope: str = "function"):
        super().__init__(name)
        self._values = tuple(input_values)
        self._keywords = dict(keyword_values or {})
        self._scope = USER_SCOPE if scope == "user_scope" else 0

    def __enter__(self):
        wanted = rows.is_listening()
        if wanted:
            given = -1
            if wanted & 4 and (self._values or self._keywords):
                given = inputs.number(_described(self._values, self._keywords))
            self._thread = rows.current_thread()
            self._row = rows.open_range(names.number(self.name), self._scope, -1, given)
        return self


def _described(values: tuple, keywords: dict) -> tuple:
    """Values as a row remembers an op's inputs (see views/inputs.py); keyword values stand behind them."""
    described = tuple(_one(v) for v in values)
    return described + (("{}", *((str(k), _one(v)) for k, v in keywords.items())),) if keywords else described


def _one(value):
    if isinstance(value, Tensor):
        return (tuple(value.shape), value.dtype.name, tuple(value.stride()))
    if isinstance(value, (list, tuple)):
        return ("[]", *map(_one, value))
    if isinstance(value, (float, bool, complex, str)):
        return (type(value).__name__, value)
    return value if isinstance(value, int) else None
