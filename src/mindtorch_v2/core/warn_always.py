"""Whether warnings that torch gives once are given every time. Here Python's own filters decide; the choice is kept."""

from __future__ import annotations


class _Choice:
    always = False


def set_warn_always(b: bool, /) -> None:
    """Say whether warnings are to be given every time."""
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _Choice.always = b


def is_warn_always_enabled() -> bool:
    return _Choice.always
