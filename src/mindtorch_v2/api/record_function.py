"""torch.ops.profiler: ranges begun and ended by hand. As in torch's results, the calls themselves leave no row."""

from __future__ import annotations

from collections.abc import Callable

from ..core import overrides
from ..record.ranges import record_function
from .namespace import namespace_of


class RangeOp:
    """One of these functions, as a packet with its only overload."""

    def __init__(self, function: Callable):
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self._function = function

    @property
    def default(self) -> RangeOp:
        return self

    def overloads(self) -> list[str]:
        return ["default"]

    def name(self) -> str:
        return f"profiler::{self.__name__}"

    def __call__(self, *args, **kwargs):
        answer = overrides.ask_foreign(self, args, kwargs)  # a tracer's stand-in for what was returned
        return self._function(*args, **kwargs) if answer is overrides.NO else answer

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='profiler.{self.__name__}')>"


def _record_function_enter(name: str, args: str | None = None) -> record_function:
    """Begin a range; what is returned ends it."""
    return record_function(name, args).__enter__()


def _record_function_enter_new(name: str, args: str | None = None) -> record_function:
    """Begin a range; what is returned ends it."""
    return record_function(name, args).__enter__()


def _record_function_exit(handle: record_function) -> None:
    """End a range."""
    if not isinstance(handle, record_function):
        raise RuntimeError("profiler::_record_function_exit() wants what _record_function_enter() returned, but got "
                           f"{handle!r}")
    handle.__exit__(None, None, None)


for _function in (_record_function_enter, _record_function_enter_new, _record_function_exit):
    setattr(namespace_of("profiler"), _function.__name__, RangeOp(_function))
