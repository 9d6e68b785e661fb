"""Calls of ops by name, uncompiled: every call goes through ``__call__`` (quick_call.pyx)."""

from __future__ import annotations

from ..core.operator_slots import Callable


class QuickCall(Callable):
    """Something whose ``ops`` are tried in turn when it is called."""


def install(cls: type) -> None:
    """Have the interpreter enter the instances of a class in a quicker way; there is none."""
