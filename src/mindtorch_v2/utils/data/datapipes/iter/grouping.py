"""Pipes that put items together and take them apart."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable

from ..callables import warn_local
from ..datapipe import DataChunk, IterDataPipe, functional_datapipe


@functional_datapipe("batch")
class BatcherIterDataPipe(IterDataPipe):
    """Batches of a given size; the last may be smaller."""

    def __init__(self, datapipe: IterDataPipe, batch_size: int, drop_last: bool = False,
                 wrapper_class: type[DataChunk] = DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        super().__init__()
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __iter__(self):
        items = iter(self.datapipe)
        while True:
            batch = list(itertools.islice(items, self.batch_size))
            if not batch or (self.drop_last and len(batch) < self.batch_size):
                return
            yield self.wrapper_class(batch)
            if len(batch) < self.batch_size:
                return

    def __len__(self) -> int:
        if not hasattr(type(self.datapipe), "__len__"):
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length")
        length = len(self.datapipe)
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """The items of batches, as many levels down as asked for; -1 is all."""

    def __init__(self, datapipe: IterDataPipe, unbatch_level: int = 1):
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self):
        for item in self.datapipe:
            yield from self._dive(item, self.unbatch_level)

    def _dive(self, item, level: int):
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        if level == 0:
            yield item
        elif isinstance(item, list):  # a DataChunk among them
            for inner in item:
                yield from self._dive(inner, -1 if level == -1 else level - 1)
        elif level == -1:
            yield item
        else:
            raise IndexError(f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe")


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe):
    """Items with one key as a batch; a full buffer gives up its largest group."""

    def __init__(self, datapipe: IterDataPipe, group_key_fn: Callable, *, keep_key: bool = False,
                 buffer_size: int = 10000, group_size: int | None = None, guaranteed_group_size: int | None = None,
                 drop_remaining: bool = False):
        warn_local(group_key_fn)
        if group_size is not None and not 0 < group_size <= buffer_size:
            raise AssertionError("group_size must be > 0 and <= buffer_size")
        if guaranteed_group_size is not None and not (group_size is not None
                                                      and 0 < guaranteed_group_size <= group_size):
            raise AssertionError("guaranteed_group_size must be > 0 and <= group_size and group_size must be set")
        self.datapipe = datapipe
        self.group_key_fn = group_key_fn
        self.keep_key = keep_key
        self.max_buffer_size = buffer_size
        self.group_size = group_size
        self.guaranteed_group_size = group_size if guaranteed_group_size is None else guaranteed_group_size
        self.drop_remaining = drop_remaining

    def __iter__(self):
        groups: defaultdict = defaultdict(list)
        held = 0
        for item in self.datapipe:
            key = self.group_key_fn(item)
            groups[key].append(item)
            held += 1
            if self.group_size is not None and len(groups[key]) == self.group_size:
                held -= self.group_size
                yield self._group(key, groups.pop(key))
            if held == self.max_buffer_size:
                key = max(groups, key=lambda k: len(groups[k]))
                group = groups.pop(key)
                held -= len(group)
                if self.guaranteed_group_size is None or len(group) >= self.guaranteed_group_size:
                    yield self._group(key, group)
                elif not self.drop_remaining:
                    raise RuntimeError(f"Failed to group items: the largest group, {str(key)!r}, has {len(group)} of "
                                       f"{self.guaranteed_group_size} items")
        for key, group in groups.items():
            yield self._group(key, group)

    def _group(self, key, items: list):
        return (key, DataChunk(items)) if self.keep_key else DataChunk(items)
