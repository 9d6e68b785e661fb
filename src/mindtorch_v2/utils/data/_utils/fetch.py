"""From indices to a batch: by index, or from a stream."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ..dataset import Dataset


class _BaseDatasetFetcher:
    """What fetchers know."""

    def __init__(self, dataset: Dataset, auto_collation: bool, collate_fn: Callable, drop_last: bool):
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index):
        raise NotImplementedError


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    """As many items as there are indices, until the stream ends."""

    def __init__(self, dataset: Dataset, auto_collation: bool, collate_fn: Callable, drop_last: bool):
        super().__init__(dataset, auto_collation, collate_fn, drop_last)
        self.dataset_iter = iter(dataset)
        self.ended = False

    def fetch(self, possibly_batched_index):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))
        batch = list(itertools.islice(self.dataset_iter, len(possibly_batched_index)))
        self.ended = len(batch) < len(possibly_batched_index)
        if not batch or (self.drop_last and self.ended):
            raise StopIteration
        return self.collate_fn(batch)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    """Items by index, all at once where the dataset can."""

    def fetch(self, possibly_batched_index):
        if not self.auto_collation:
            return self.collate_fn(self.dataset[possibly_batched_index])
        if getattr(self.dataset, "__getitems__", None):
            return self.collate_fn(self.dataset.__getitems__(possibly_batched_index))
        return self.collate_fn([self.dataset[i] for i in possibly_batched_index])


class _DatasetKind:
    """Whether items are asked for by index or come in a stream."""

    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(kind: int, dataset: Dataset, auto_collation: bool, collate_fn: Callable, drop_last: bool):
        fetcher = _MapDatasetFetcher if kind == _DatasetKind.Map else _IterableDatasetFetcher
        return fetcher(dataset, auto_collation, collate_fn, drop_last)
