"""What is alive when memory is fullest: every block, by whom it was allocated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..table.event_table import EventTable


class Peak(NamedTuple):
    """The moment with most bytes alive, the bytes, and how many of them were there before the profile began."""

    time_ns: int
    total_bytes: int
    before_bytes: int
    changes: np.ndarray  # the rows of the memory table that allocated what is alive


def peak(table: EventTable) -> Peak | None:
    """The fullest moment, the first if there are several; None of a profile without memory."""
    memory = table.memory
    if not memory.n_rows:
        return None
    at = int(memory["total"].argmax())
    alive = alive_after(table, at)
    total = int(memory["total"][at])
    return Peak(int(memory["time_ns"][at]), total, total - int(memory["change"][alive].sum()), alive)


def alive_after(table: EventTable, change: int) -> np.ndarray:
    """The changes that allocated what is alive after one of them, in the order of time."""
    memory = table.memory
    address, grew = memory["address"][:change + 1], memory["change"][:change + 1] > 0
    # The last thing that happened to an address decides.
    _, last = np.unique(address[::-1], return_index=True)
    last = change - last
    return np.sort(last[grew[last]])


class Holder(NamedTuple):
    """Blocks alive at a moment that one op allocated on behalf of one module, with one stack, of one category."""

    op: str
    module: str
    stack: int
    category: str
    blocks: int
    total_bytes: int
    largest_bytes: int


def holders(changes: np.ndarray, change_bytes: np.ndarray, ops: list[str], modules: list[str], stacks: np.ndarray,
            categories: list[str]) -> list[Holder]:
    """Blocks put together by who allocated them, those with most bytes first."""
    together: dict[tuple, list[int]] = {}
    for key, nbytes in zip(zip(ops, modules, stacks.tolist(), categories), change_bytes[changes].tolist()):
        together.setdefault(key, []).append(nbytes)
    rows = [Holder(*key, len(sizes), sum(sizes), max(sizes)) for key, sizes in together.items()]
    return sorted(rows, key=lambda row: (-row.total_bytes, row.op, row.module, row.stack, row.category))
