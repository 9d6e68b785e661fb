"""Levels of vmap that this thread is inside of: how large each batch is, and what random numbers mean in it."""

from __future__ import annotations

import threading
from typing import NamedTuple

from ..core import modes

ERROR, DIFFERENT, SAME = "error", "different", "same"


class Level(NamedTuple):
    """One vmap: its number, counted from the outermost, the size of its batch, and its randomness."""

    number: int
    size: int
    randomness: str


class VmapInfo(NamedTuple):
    """What a rule of the user's own for a batch is told of the vmap around it."""

    batch_size: int
    randomness: str


class _Active(threading.local):
    stack: tuple[Level, ...] = ()
    is_making = False
    own = None


_active = _Active()


def innermost() -> Level | None:
    """The level that a call made now belongs to, None outside of every vmap."""
    return _active.stack[-1] if _active.stack else None


def push(size: int, randomness: str) -> int:
    """Enter a vmap, and hand back the number of its level; random functions are asked about as long as it lasts."""
    number = len(_active.stack) + 1
    _active.stack = (*_active.stack, Level(number, size, randomness))
    modes.count_kind(1)
    return number


def pop() -> int:
    """Leave the innermost vmap, and hand back the number that it had."""
    *outer, level = _active.stack
    _active.stack = tuple(outer)
    modes.count_kind(-1)
    return level.number


def leave(number: int) -> tuple[Level, ...]:
    """Work outside of a level and all within it, until ``restore`` is called with what this returns."""
    before = _active.stack
    _active.stack = tuple([level for level in before if level.number < number])
    return before


def restore(stack: tuple[Level, ...]) -> None:
    """Be inside of levels that were left."""
    _active.stack = stack


def is_making() -> bool:
    """Whether an op that returns something new is being composed: what it writes into is its own."""
    return _active.is_making


def set_making(on: bool) -> bool:
    """Say whether it is, and hand back what was said before."""
    before, _active.is_making = _active.is_making, on
    if not on:
        _active.own = None
    return before


def own(tensor: object) -> None:
    """Note a whole that only the member knows which an op that is composed made, and is about to write."""
    _active.own = tensor


def is_own(tensor: object) -> bool:
    """Whether a tensor is the one last noted."""
    return _active.own is tensor


class Random:
    """The ops that draw random numbers, and what answers for them inside of vmap; batch_random.py fills it."""

    names: frozenset[str] = frozenset()
    answer = None


def draws(op) -> bool:
    """Whether a call draws random numbers inside of a vmap, which has a say in it even if nothing is batched."""
    return bool(_active.stack) and op.name in Random.names


def drawn(op, args):
    """What a call that draws makes of the randomness of the innermost vmap."""
    return Random.answer(op, args)
