"""torch._assert and torch._check: errors of programs, raised by torch's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import overrides
from .dtype import bool_
from .tensor import Tensor


def _assert(condition: Any, message: str) -> Any:
    """An AssertionError unless the condition holds; what answers for itself as a tensor is asked first."""
    if type(condition) is not bool:
        answer = overrides.ask(_assert, (condition, message), None)
        if answer is not overrides.NO:
            return answer
    assert condition, message
    return None


def _check_with(error_type: type[Exception], cond: bool, message: Callable[[], str] | str | None) -> None:
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        text = "Expected cond to be True, but got False. (Could this error message be improved? If so, please report " \
               "an enhancement request to PyTorch.)"
    elif callable(message):
        text = str(message())
    else:
        raise TypeError("message must be a callable")
    raise error_type(text)


def _check_tensor_all_with(error_type: type[Exception], cond: Any,
                           message: Callable[[], str] | None = None) -> None:
    """An error of a type unless all of a tensor of booleans holds."""
    if not isinstance(cond, Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype is not bool_:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, bool(cond.all()), message)


def _check_tensor_all(cond: Any, message: Callable[[], str] | None = None) -> None:
    """A RuntimeError unless all of a tensor of booleans holds."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _check(cond: bool, message: Callable[[], str] | None = None) -> None:
    """A RuntimeError unless the condition holds; its text is made when it is needed."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond: bool, message: Callable[[], str] | None = None) -> None:
    """An IndexError unless the condition holds."""
    _check_with(IndexError, cond, message)


def _check_value(cond: bool, message: Callable[[], str] | None = None) -> None:
    """A ValueError unless the condition holds."""
    _check_with(ValueError, cond, message)


def _check_type(cond: bool, message: Callable[[], str] | None = None) -> None:
    """A TypeError unless the condition holds."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond: bool, message: Callable[[], str] | None = None) -> None:
    """A NotImplementedError unless the condition holds."""
    _check_with(NotImplementedError, cond, message)
