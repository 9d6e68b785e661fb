"""Named stretches of a thread's time, as the optimisers, the DataLoader and the user mark them."""

from __future__ import annotations

from . import rows
from .names import inputs, names

USER_SCOPE = 7


class record_range:  # noqa: N801 - used like a function: with record_range("name"): ...
    """A range that becomes a row if somebody listens; one check if nobody does."""

    _row = -1
    _thread = 0

    def __init__(self, name: str, args: str | None = None):
        self.name = name
        self.args = args

    def __enter__(self):
        if rows.is_listening():
            self._thread = rows.current_thread()
            self._row = rows.open_range(names.number(self.name), USER_SCOPE, -1, self._described())
        return self

    def __exit__(self, *failure) -> None:
        if self._row >= 0:
            row, self._row = self._row, -1
            # A row belongs to the log of the thread that opened it; closed elsewhere, it lasts until the window's end.
            if rows.current_thread() == self._thread:
                rows.close_range(row)

    def _described(self) -> int:
        """The number of the text given with the name, if somebody wants inputs."""
        wanted = self.args is not None and rows.is_listening() & 4
        return inputs.number((("str", self.args),)) if wanted else -1
