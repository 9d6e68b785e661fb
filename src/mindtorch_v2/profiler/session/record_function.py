"""The user's own ranges: record_function, and the lean form with values."""

from __future__ import annotations

from ...core.executed import note_values
from ...core.tensor import Tensor
from ...record import rows
from ...record.layout import EXECUTED, INPUTS, USER_SCOPE
from ...record.names import inputs, names
from ...record.ranges import record_function as record_function
from ...record.ranges import record_range


class _RecordFunctionFast(record_range):
    """A range with values and keyword values; shown as an op unless they say that its scope is ``user_scope``."""

    def __init__(self, name: str, input_values=(), keyword_values=None):
        super().__init__(name)
        self._values = tuple(input_values)
        self._keywords = dict(keyword_values or {})
        self._scope = USER_SCOPE if self._keywords.get("scope") == "user_scope" else 0

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
    return described + (("{}", *((str(k), _one(v)) for k, v in keywords.items())),) if keywords else described


def _one(value):
    if isinstance(value, Tensor):
        return (tuple(value.shape), value.dtype.name, tuple(value.stride()))
    if isinstance(value, (list, tuple)):
        return ("[]", *map(_one, value))
    if isinstance(value, (float, bool, complex, str)):
        return (type(value).__name__, value)
    return value if isinstance(value, int) else None
