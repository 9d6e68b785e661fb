"""Levels of forward-mode derivatives, and the tangents that a tensor has at each of them (``_mt_tangents``).

A tangent at a level may itself have tangents at lower levels, never at its own or at higher ones. What is worked out
for a level therefore sees only what is below it (``below``), so that derivatives of derivatives are not confused.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from . import modes

NO_LIMIT = 1 << 30


class Tangents:
    """The tangents of one tensor by level. None says that there is none, and that the tensor's base is not asked."""

    __slots__ = ("by_level", "__weakref__")

    def __init__(self, by_level: dict | None = None):
        self.by_level = {} if by_level is None else by_level


class _Level:
    """A level that was entered: who has tangents there, so that they are dropped when it is left."""

    def __init__(self):
        self.holders: weakref.WeakSet[Tangents] = weakref.WeakSet()


class _State(threading.local):
    enabled = True
    limit = NO_LIMIT


_levels: list[_Level] = []
_state = _State()


def depth() -> int:
    """How many levels are entered."""
    return len(_levels)


def enter() -> int:
    """Enter a new level, and say its number."""
    _levels.append(_Level())
    modes.count_kind(1)
    return len(_levels) - 1


def leave() -> None:
    """Leave the latest level; nobody has a tangent there any more."""
    level = _levels.pop()
    number = len(_levels)
    modes.count_kind(-1)
    for tangents in list(level.holders):
        tangents.by_level.pop(number, None)


def hold(tensor, level: int, tangent) -> None:
    """Give a tensor a tangent at a level, or with None say that it has none."""
    if tensor._mt_tangents is None:
        tensor._mt_tangents = Tangents()
    tensor._mt_tangents.by_level[level] = tangent
    _levels[level].holders.add(tensor._mt_tangents)


def is_enabled() -> bool:
    """Whether tangents travel through ops on this thread; in inference mode nothing does."""
    return _state.enabled and not modes.is_inference_mode_enabled()


def set_enabled(enabled: bool) -> bool:
    """Let tangents travel through ops on this thread, or not; hands back what was so before."""
    before = _state.enabled
    _state.enabled = bool(enabled)
    return before


def visible(level: int) -> bool:
    """Whether what is being worked out on this thread may see tangents of a level."""
    return level < _state.limit and is_enabled()


@contextmanager
def below(level: int) -> Iterator[None]:
    """Inside, only tangents of lower levels are seen."""
    before = _state.limit
    _state.limit = min(level, before)
    try:
        yield
    finally:
        _state.limit = before


@contextmanager
def up_to(level: int) -> Iterator[None]:
    """Inside, tangents of a level and of lower ones are seen."""
    before = _state.limit
    _state.limit = level + 1
    try:
        yield
    finally:
        _state.limit = before
