"""The pipes over data by key: wrap, map, shuffle, chain, zip, batch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence

from ..callables import warn_local
from ..datapipe import DataChunk, MapDataPipe, functional_datapipe
from ..shuffling import Shuffling


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


class ShufflerIterDataPipe(Shuffling):
    """All items in random order, as a stream."""

    def __init__(self, datapipe: MapDataPipe, *, indices: list | None = None):
        super().__init__()
        self.datapipe = datapipe
        self.indices = list(range(len(datapipe))) if indices is None else indices

    def __iter__(self):
        order = list(self.indices)
        if self._enabled:
            self._rng.shuffle(order)
        for index in order:
            yield self.datapipe[index]


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
        items = []
        for datapipe in self.datapipes:
            try:
                items.append(datapipe[index])
            except IndexError as error:
                raise IndexError(f"Index {index} is out of range for one of the input MapDataPipes "
                                 f"{datapipe}.") from error
        return tuple(items)

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
