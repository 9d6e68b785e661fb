"""Where in the user's program something was called: by the calls around it, and the lines that they were made in."""

from __future__ import annotations

import re

from ..table.columns import PYTHON_SCOPE
from ..table.event_table import EventTable

LINE_BASE = -2  # the sequence of a Python call is this less the line that it was called from
FRAME = re.compile(r"(?P<file>.*)\(\d+\): (?P<function>.*)", re.DOTALL)


def users_place(table: EventTable, caller: int, not_users: tuple[str, ...]) -> str:
    """The innermost function of the user's around a row, beginning with the row ``caller``; empty if there is none.

    It is ``train.py:12 (main)`` where a Python function was called in that line, ``train.py(7): main`` with the line of
    the function itself where an op was: calls of functions have lines, those of ops have none.
    """
    line = 0
    while caller >= 0:
        if table["scope"][caller] >= PYTHON_SCOPE:
            frame = table.names[table["name"][caller]][0]
            if not frame.startswith(not_users):
                named = FRAME.fullmatch(frame)
                return f"{named['file']}:{line} ({named['function']})" if line and named else frame
            line = max(LINE_BASE - int(table["sequence"][caller]), 0)
        caller = int(table["parent"][caller])
    return ""
