"""From indices to a batch: by index, or from a stream."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from .dataset import Dataset


class MapFetcher:
    """Items by index, all at once where the dataset can."""

    def __init__(self, dataset: Dataset, auto_collation: bool, collate_fn: Callable, drop_last: bool):
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn

    def fetch(self, index):
        if not self.auto_collation:
            return self.collate_fn(self.dataset[index])
        if getattr(self.dataset, "__getitems__", None):
            return self.collate_fn(self.dataset.__getitems__(index))
        return self.collate_fn([self.dataset[i] for i in index])


class StreamFetcher:
    """As many items as there are indices, until the stream ends."""

    def __init__(self, dataset: Dataset, auto_collation: bool, collate_fn: Callable, drop_last: bool):
        self.items = iter(dataset)
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.ended = False

    def fetch(self, index):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.items))
        batch = list(itertools.islice(self.items, len(index)))
        self.ended = len(batch) < len(index)
        if not batch or (self.drop_last and self.ended):
            raise StopIteration
        return self.collate_fn(batch)
