"""torch.Size: a tuple of ints that knows how many elements it spans."""

from __future__ import annotations

import math


class Size(tuple):
    """Shape of a tensor; slices and sums of it stay a Size."""

    __slots__ = ()

    def numel(self) -> int:
        return math.prod(self)

    def __getitem__(self, item):
        found = tuple.__getitem__(self, item)
        return Size(found) if isinstance(item, slice) else found

    def __add__(self, other):
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, times):
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self):
        return Size, (tuple(self),)
