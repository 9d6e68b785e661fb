"""torch.sym_int and its kin on plain numbers, which are all there are: symbols belong to torch's compiler."""

from __future__ import annotations

import builtins
import math

_NUMBERS = (int, float)


class _Symbol:
    def __init__(self, node):
        raise NotImplementedError(f"torch.{type(self).__name__}: symbols are made by torch.compile and torch.export, "
                                  "which mindtorch_v2 does not have; use a plain number")


class SymInt(_Symbol):
    """torch's symbolic integers, of which there are none here: nothing is an instance."""


class SymFloat(_Symbol):
    """torch's symbolic floats, of which there are none here."""


class SymBool(_Symbol):
    """torch's symbolic truth values, of which there are none here."""


for _kind in (SymInt, SymFloat, SymBool):
    _kind.__module__ = "torch"


def sym_int(a):
    """A number without its fraction."""
    return math.floor(a) if isinstance(a, float) and a >= 0 else math.ceil(a) if isinstance(a, float) else int(a)


def sym_float(a):
    """A number as a float."""
    return float(a)


def sym_not(a):
    """Whether a value is false."""
    return not a


def sym_max(a, b):
    """The larger number; a float if either is one."""
    return _extreme(builtins.max, a, b)


def sym_min(a, b):
    """The smaller number; a float if either is one."""
    return _extreme(builtins.min, a, b)


def _extreme(choose, a, b):
    import numpy as np
    numbers = (np.integer, np.floating, *_NUMBERS)
    for value in (a, b):
        if not isinstance(value, numbers):
            raise AssertionError(f"expected {numbers}, got {type(value)}")
    chosen = choose(a, b)
    return float(chosen) if isinstance(a, (float, np.floating)) or isinstance(b, (float, np.floating)) else chosen


def sym_ite(b, t, f):
    """One of two values by a third."""
    if not isinstance(b, bool):
        raise AssertionError(f"expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"t and f must be of the same type, got {type(t)} and {type(f)}")
    return t if b else f


def sym_sqrt(a):
    """The square root."""
    return math.sqrt(a)


def sym_sum(*args):
    """The sum of numbers, given one by one or in a list."""
    return builtins.sum(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)


def sym_fresh_size(expr):
    """The size itself."""
    return int(expr)
