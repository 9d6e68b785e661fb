"""The pipes over data by key: wrap, map, shuffle, chain, zip, batch."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence

from ....data.sampler import draw_seed
from ..callables import warn_local
from ..datapipe import DataChunk, IterDataPipe, MapDataPipe, functional_datapipe


class SequenceWrapperMapDataPipe(MapDataPipe):
    """The items of a sequence or a mapping, copied first unless told not to."""

    def __init__(self, sequence: Sequence | Mapping, deepcopy: bool = True):
        self.sequence = copy.deepcopy(sequence) if deepcopy else sequence

    def __getitem__(self, index):
        return self.sequence[index]

    def __len__(self) -> int:
        return len(self.sequence)


def _same(item):
    return item


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """What a function makes of each item."""

    def __init__(self, datapipe: MapDataPipe, fn: Callable = _same):
        super().__init__()
        self.datapipe = datapipe
        warn_local(fn)
        self.fn = fn

    def __len__(self) -> int:
        return len(self.datapipe)

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])


class ShufflerIterDataPipe(IterDataPipe):
    """All items in random order, as a stream."""

    def __init__(self, datapipe: MapDataPipe, *, indices: list | None = None):
        super().__init__()
        self.datapipe = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices
        self._enabled = True
        self._seed = None
        self._rng = random.Random()
        self._shuffled: list = self.indices

    def set_shuffle(self, shuffle: bool = True) -> ShufflerIterDataPipe:
        """Switch the shuffling on or off."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> ShufflerIterDataPipe:
        """Fix the order of the next pass."""
        self._seed = seed
        return self

    def reset(self) -> None:
        """Begin a pass: from the seed that was set, or from one that torch's generator draws."""
        if self._enabled:
            self._rng.seed(draw_seed(None) if self._seed is None else self._seed)
            self._seed = None
            self._shuffled = list(self.indices)
            self._rng.shuffle(self._shuffled)

    def __iter__(self):
        for index in self._shuffled if self._enabled else self.indices:
            yield self.datapipe[index]

    def __len__(self) -> int:
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)


def _check(datapipes: tuple) -> None:
    if len(datapipes) == 0:
        raise ValueError("Expected at least one DataPipe, but got nothing")
    if not all(isinstance(dp, MapDataPipe) for dp in datapipes):
        raise TypeError("Expected all inputs to be `MapDataPipe`")


@functional_datapipe("concat")
class ConcaterMapDataPipe(MapDataPipe):
    """Data one after the other, by a running index."""

    def __init__(self, *datapipes: MapDataPipe):
        _check(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index):
        offset = 0
        for datapipe in self.datapipes:
            if index - offset < len(datapipe):
                return datapipe[index - offset]
            offset += len(datapipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self) -> int:
        return sum(len(dp) for dp in self.datapipes)


@functional_datapipe("zip")
class ZipperMapDataPipe(MapDataPipe):
    """Tuples of one item of each."""

    def __init__(self, *datapipes: MapDataPipe):
        _check(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index) -> tuple:
        found = []
        for datapipe in self.datapipes:
            try:
                found.append(datapipe[index])
            except IndexError as error:
                raise IndexError(f"Index {index} is out of range for one of the input MapDataPipes "
                                 f"{datapipe}.") from error
        return tuple(found)

    def __len__(self) -> int:
        return min(len(dp) for dp in self.datapipes)


@functional_datapipe("batch")
class BatcherMapDataPipe(MapDataPipe):
    """Batches of a given size; the last may be smaller."""

    def __init__(self, datapipe: MapDataPipe, batch_size: int, drop_last: bool = False,
                 wrapper_class: type[DataChunk] = DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        super().__init__()
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __getitem__(self, index):
        first = index * self.batch_size
        last = min(first + self.batch_size, len(self.datapipe))
        if first >= len(self.datapipe) or (self.drop_last and last - first < self.batch_size):
            raise IndexError(f"Index {index} is out of bound.")
        return self.wrapper_class([self.datapipe[i] for i in range(first, last)])

    def __len__(self) -> int:
        length = len(self.datapipe)
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)
