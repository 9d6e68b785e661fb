"""Forget the words that no row uses any more: there are never many more words than rows, whatever becomes of rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import rows, watch
from .names import inputs, names


class Forgotten(NamedTuple):
    """Words that are kept no longer, by their numbers, and the modules that went by them."""

    names: dict
    inputs: dict
    modules: dict


def forget() -> Forgotten | None:
    """Forget words of rows that were dropped or moved away; nothing as long as there are more rows than words."""
    marks = rows.marks()
    held = {thread: (rows.held(thread)[0], *end[1:]) for thread, end in marks.items()}
    n_rows = sum(marks[thread][0] - begin[0] for thread, begin in held.items())
    if max(len(names), len(inputs)) <= n_rows:
        names.allow(n_rows)
        inputs.allow(n_rows)
        return None
    kept = [rows.read(thread, begin, marks[thread])[1] for thread, begin in held.items()]
    forgotten_names = names.forget(numbers_in(kept, "name"), n_rows)
    forgotten_inputs = inputs.forget(numbers_in(kept, "inputs"), n_rows)
    return Forgotten(forgotten_names, forgotten_inputs, watch.forget_modules(forgotten_names))


def numbers_in(parts: list[np.ndarray], field: str) -> set[int]:
    """The numbers of words in a field of rows."""
    return set().union(*(np.unique(part[field]).tolist() for part in parts))
