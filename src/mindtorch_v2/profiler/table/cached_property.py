"""A property that is worked out once."""

from __future__ import annotations

from collections.abc import Callable


class cached_property:  # noqa: N801 - Python's name
    """As ``functools.cached_property``, without the lock that it has below Python 3.12: a child forked while another
    thread works one out would wait for that lock for ever. Two threads may both work a value out; all see one."""

    def __init__(self, function: Callable):
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance, owner: type | None = None):
        if instance is None:
            return self
        return instance.__dict__.setdefault(self._name, self._function(instance))
