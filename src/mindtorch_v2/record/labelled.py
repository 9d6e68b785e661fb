"""A function under a range: plain, generator or coroutine, each call under one of its own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable


def labelled(function: Callable, kind: type, name: str, args: str | None) -> Callable:
    """The function, every call of it inside ``kind(name, args)``."""
    if inspect.iscoroutinefunction(function):
        async def inside(*a, **k):
            with kind(name, args):
                return await function(*a, **k)
    elif inspect.isgeneratorfunction(function):
        def inside(*a, **k):
            with kind(name, args):
                return (yield from function(*a, **k))
    else:
        def inside(*a, **k):
            with kind(name, args):
                return function(*a, **k)
    return functools.wraps(function)(inside)
