# cython: annotation_typing=False
"""torch.Size: a tuple of ints that knows how many elements it spans."""

from __future__ import annotations

import math
import operator


class Size(tuple):
    """Shape of a tensor; slices and sums of it stay a Size."""

    __module__ = "mindtorch_v2"
    __slots__ = ()

    def __new__(cls, items=()):
        sizes = tuple(items)
        return of_ints([item if type(item) is int else _whole(item, i) for i, item in enumerate(sizes)])

    def numel(self) -> int:
        return math.prod(self)

    def __getitem__(self, item):
        part = tuple.__getitem__(self, item)
        return of_ints(part) if isinstance(item, slice) else part

    def __add__(self, other):
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size(tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return of_ints(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self):
        return Size, (tuple(self),)


def of_ints(items) -> Size:
    """A Size of what is known to be whole numbers."""
    return tuple.__new__(Size, items)


def _whole(item, i: int) -> int:
    """What can stand for a whole number: a bool, NumPy's integers, a tensor of one."""
    try:
        return operator.index(item)
    except TypeError:
        raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(item).__name__}')") from None
