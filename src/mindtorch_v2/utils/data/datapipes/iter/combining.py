"""Pipes of several pipes."""

from __future__ import annotations

from ..datapipe import IterDataPipe, functional_datapipe


@functional_datapipe("concat")
class ConcaterIterDataPipe(IterDataPipe):
    """Streams one after the other."""

    def __init__(self, *datapipes: IterDataPipe):
        if len(datapipes) == 0:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(dp, IterDataPipe) for dp in datapipes):
            raise TypeError("Expected all inputs to be `IterDataPipe`")
        self.datapipes = datapipes

    def __iter__(self):
        for datapipe in self.datapipes:
            yield from datapipe

    def __len__(self) -> int:
        return sum(len(dp) for dp in self.datapipes)


@functional_datapipe("zip")
class ZipperIterDataPipe(IterDataPipe):
    """Tuples of one item of each stream, as long as all have one."""

    def __init__(self, *datapipes: IterDataPipe):
        if not all(isinstance(dp, IterDataPipe) for dp in datapipes):
            raise TypeError("All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`.")
        super().__init__()
        self.datapipes = datapipes

    def __iter__(self):
        yield from zip(*[iter(datapipe) for datapipe in self.datapipes])

    def __len__(self) -> int:
        return min(len(dp) for dp in self.datapipes)


@functional_datapipe("mux")
class MultiplexerIterDataPipe(IterDataPipe):
    """One item of each stream in turn, until the shortest ends."""

    def __init__(self, *datapipes: IterDataPipe):
        self.datapipes = datapipes

    def __iter__(self):
        for items in zip(*[iter(datapipe) for datapipe in self.datapipes]):
            yield from items

    def __len__(self) -> int:
        return min(len(dp) for dp in self.datapipes) * len(self.datapipes)
