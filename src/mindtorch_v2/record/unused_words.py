"""Forget the words that no row uses any more: there are never many more words than rows, whatever becomes of rows."""

from __future__ import annotations

import numpy as np

from . import logs, watch
from .names import inputs, names


def forget() -> None:
    """Forget words of rows that were dropped or moved away; nothing as long as there are more rows than words."""
    marks = logs.marks()
    held = {thread: (logs.held(thread)[0], *end[1:]) for thread, end in marks.items()}
    n_rows = sum(marks[thread][0] - begin[0] for thread, begin in held.items())
    if max(len(names), len(inputs)) <= n_rows:
        names.allow(n_rows)
        inputs.allow(n_rows)
        return
    kept = [logs.read(thread, begin, marks[thread])[1] for thread, begin in held.items()]
    watch.forget_modules(names.forget(numbers_in(kept, "name"), n_rows))
    inputs.forget(numbers_in(kept, "inputs"), n_rows)


def numbers_in(parts: list[np.ndarray], field: str) -> set[int]:
    """The numbers of words in a field of rows."""
    return set().union(*(np.unique(part[field]).tolist() for part in parts))
