"""The user's own ranges: record_function, and the lean form with values."""

from __future__ import annotations

from ...core import describe
from ...core.executed import note_values
from ...record import rows
from ...record.layout import EXECUTED, INPUTS, USER_SCOPE
from ...record.names import inputs, names
from ...record.plain_text import shown
from ...record.ranges import record_function as compiled_record_function
from ...record.ranges import record_range


# A class of Python's, because tracers put functions of their own in the place of its methods.
class record_function(compiled_record_function):  # noqa: N801  torch's name
    """Label what happens inside a ``with`` block or a function; generators and coroutines included."""


class _RecordFunctionFast(record_range):
    """A range with values and keyword values; shown as an op unless they say that its scope is ``user_scope``."""

    def __init__(self, name: str, input_values=(), keyword_values=None):
        super().__init__(name)
        self._values = tuple(input_values)
        self._keywords = dict(keyword_values or {})
        self._scope = USER_SCOPE if _is_user_scope(self._keywords) else 0

    def __enter__(self):
        wanted = rows.is_listening()
        if wanted:
            given = -1
            if wanted & INPUTS and (self._values or self._keywords):
                given = inputs.number(_described(self._values, self._keywords))
            self.row = rows.open_range(names.number(self.name), self._scope, -1, given)
            if wanted & EXECUTED:
                note_values(self.row, self._values)
        return self


def _described(values: tuple, keywords: dict) -> tuple:
    """Values as a row remembers an op's inputs (see views/inputs.py); keyword values stand behind them."""
    described = tuple(_one(v) for v in values)
    return described + (("{}", *((shown(k), _one(v)) for k, v in keywords.items())),) if keywords else described


def _one(value):
    """What is neither a tensor nor plain is shown as nothing."""
    described = describe.one(value)
    return None if type(described) is tuple and described[0] == "code" else described


def _is_user_scope(keywords: dict) -> bool:
    return any(type(key) is type(value) is str and (key, value) == ("scope", "user_scope")
               for key, value in keywords.items())
