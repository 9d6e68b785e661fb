"""Functions that pipes are given: what can be pickled, and columns of items."""

from __future__ import annotations

import warnings
from collections.abc import Callable


def warn_local(function: Callable) -> None:
    """Lambdas and local functions cannot go to a worker process."""
    if not callable(function):
        raise TypeError(f"A callable function is expected, but {type(function)} is provided.")
    name = getattr(function, "__qualname__", "")
    if "<lambda>" in name or "<locals>" in name:
        warnings.warn("Local function is not supported by pickle, please use regular python function or "
                      "functools.partial instead.", stacklevel=3)


def from_columns(function: Callable, item, input_col):
    """What a function makes of an item, of one of its columns, or of several."""
    if input_col is None:
        return function(item)
    if isinstance(input_col, (list, tuple)):
        return function(*[item[column] for column in input_col])
    return function(item[input_col])
