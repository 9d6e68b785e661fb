"""How a view written in place finds its new history: by its geometry, or by its own ops run again on the base."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..core import modes
from ..core.slots import Work
from ..core.tensor import Tensor, offset_of
from . import node as nodes

_REPLAY = "_mt_replay"  # on a view made while replay is enabled: the function that makes it anew from its base


class _Setting(threading.local):
    enabled = False


_setting = _Setting()


def is_view_replay_enabled() -> bool:
    """Whether views that are made now will be replayed."""
    return _setting.enabled


def _set_view_replay_enabled(enabled: bool) -> None:
    _setting.enabled = bool(enabled)
    if enabled:
        nodes.watch_views(_remember)  # from now on: other threads may have it enabled when this one has not


def _remember(op, args: tuple, result) -> None:
    """Note new views while replay is enabled, and those of another type than their base always."""
    source = args[op.aliases]
    base = source if source._mt_base is None else source._mt_base
    if _setting.enabled or (isinstance(result, Tensor) and is_of_other_kind(result, base)):
        note(op, args, result)


def is_of_other_kind(view: Tensor, base: Tensor) -> bool:
    """Whether a view has another type than its base, or shows its elements conjugated or negated."""
    return view.dtype is not base.dtype or view._mt_kind is not base._mt_kind


def note(op, args: tuple, result) -> None:
    """Note on a new view, or on each of several, how it is made from its base."""
    source = args[op.aliases]
    before = source.__dict__.get(_REPLAY)
    if before is None and source._mt_base is not None:
        before = by_geometry(source)
    for at, view in enumerate([result] if isinstance(result, Tensor) else result):
        if view is not source:
            view.__dict__[_REPLAY] = _maker(op, args, None if isinstance(result, Tensor) else at, before)


def note_function(view: Tensor, args: tuple, forward: Callable) -> None:
    """The same for the result of a Function that only makes a view of the tensor among its arguments."""
    at = next(i for i, value in enumerate(args) if isinstance(value, Tensor))
    source = args[at]
    before = source.__dict__.get(_REPLAY) or (None if source._mt_base is None else by_geometry(source))

    def make(base: Tensor, visit: Callable | None = None) -> Tensor:
        return forward(*args[:at], base if before is None else before(base, visit), *args[at + 1:])

    view.__dict__[_REPLAY] = make


def by_geometry(view: Tensor) -> Callable[[Tensor], Tensor]:
    """Where a view was not noted: its shape, strides and offset on a base of the same type."""
    geometry = tuple(view._mt_array.shape), view.stride(), offset_of(view)
    return lambda base, visit=None: Work.as_strided(base, *geometry)


def _maker(op, args: tuple, at: int | None, before: Callable | None) -> Callable[[Tensor], Tensor]:
    front, back = args[:op.aliases], args[op.aliases + 1:]

    def make(base: Tensor, visit: Callable | None = None) -> Tensor:
        given = (*front, base if before is None else before(base, visit), *back)
        result = Work.call(op, given if visit is None else visit(op, given))
        return result if at is None else result[at]

    return make


def maker_of(view: Tensor) -> Callable[[Tensor], Tensor] | None:
    """The function that makes a view anew from its base, if it was noted."""
    return view.__dict__.get(_REPLAY)


def replayed(view: Tensor) -> Tensor | None:
    """The view made anew from its base, history and all; None if it was made without replay."""
    make = view.__dict__.get(_REPLAY)
    if make is None:
        return None
    grad = modes.set_grad(True)
    try:
        return make(view._mt_base)
    finally:
        modes.set_grad(grad)
