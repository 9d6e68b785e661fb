"""A stream from anything that can be iterated; torch's address."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable

from ..datapipe import IterDataPipe


class IterableWrapperIterDataPipe(IterDataPipe):
    """The items of an iterable, copied first unless told not to."""

    def __init__(self, iterable: Iterable, deepcopy: bool = True):
        self.iterable = iterable
        self.deepcopy = deepcopy

    def __iter__(self):
        source = self.iterable
        if self.deepcopy:
            try:
                source = copy.deepcopy(self.iterable)
            except TypeError:  # a generator cannot be copied
                warnings.warn("The input iterable can not be deepcopied, please be aware of in-place modification "
                              "would affect source data.", stacklevel=2)
        yield from source

    def __len__(self) -> int:
        return len(self.iterable)
