"""DataLoader: items of a dataset, in an order, in batches."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from ...record.plain_text import name_of_type
from ...record.ranges import record_range
from . import streams
from .collate import default_collate, default_convert
from .datapipes.datapipe import IterDataPipe
from .dataset import Dataset, IterableDataset
from .fetch import MapFetcher, StreamFetcher
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, draw_seed

T_co = TypeVar("T_co", covariant=True)
# What a loader is made of: fixed once it is made.
FIXED = frozenset(("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"))


class DataLoader(Generic[T_co]):
    """An iterable over batches of a dataset, loaded in this process."""

    __initialized = False

    def __init__(self, dataset: Dataset[T_co], batch_size: int | None = 1, shuffle: bool | None = None,
                 sampler: Sampler | Iterable | None = None, batch_sampler: Sampler | Iterable | None = None,
                 num_workers: int = 0, collate_fn: Callable | None = None, pin_memory: bool = False,
                 drop_last: bool = False, timeout: float = 0, worker_init_fn: Callable | None = None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor: int | None = None,
                 persistent_workers: bool = False, pin_memory_device: str = "", in_order: bool = True):
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        if isinstance(dataset, IterDataPipe):
            dataset, shuffle = streams.enter(dataset, shuffle), None
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.in_order = in_order
        self.multiprocessing_context = multiprocessing_context
        if isinstance(dataset, IterableDataset):
            self._check_stream(shuffle, sampler, batch_sampler)
            shuffle = False
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                                 "drop_last")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            sampler = self._default_sampler(shuffle, generator)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self.__initialized = True
        self._IterableDataset_len_called = None

    @staticmethod
    def _check_stream(shuffle, sampler, batch_sampler) -> None:
        """A stream has its own order."""
        given = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                                 f"{name}={value}")

    def _default_sampler(self, shuffle, generator) -> Sampler | Iterable:
        if isinstance(self.dataset, IterableDataset):
            return _Endless()
        return RandomSampler(self.dataset, generator=generator) if shuffle else SequentialSampler(self.dataset)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__initialized and name in FIXED:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Sampler | Iterable:
        return self.batch_sampler if self._auto_collation else self.sampler

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return _SingleProcessDataLoaderIter(self)

    def __len__(self) -> int:
        """Number of batches; of a stream, what its own length promises."""
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)


class _Endless(Sampler):
    """Something to count a stream's items with."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class _SingleProcessDataLoaderIter:
    """One pass over a loader."""

    def __init__(self, loader: DataLoader):
        if loader.timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self._dataset = loader.dataset
        self._promised = loader._IterableDataset_len_called
        self._index_sampler = loader._index_sampler
        if loader.pin_memory:
            warnings.warn("'pin_memory' argument is set as true but no accelerator is found, then device pinned memory "
                          "won't be used.", stacklevel=3)
        self._sampler_iter = iter(self._index_sampler)
        if isinstance(loader.dataset, IterDataPipe):
            streams.seed(loader.dataset, draw_seed(loader.generator))
        # Nobody needs this seed without workers, but torch draws it, so later random numbers depend on it.
        self._base_seed = draw_seed(loader.generator)
        self._num_yielded = 0
        self._profile_name = f"enumerate(DataLoader)#{name_of_type(type(self))}.__next__"
        fetcher = StreamFetcher if isinstance(loader.dataset, IterableDataset) else MapFetcher
        self._fetcher = fetcher(loader.dataset, loader._auto_collation, loader.collate_fn, loader.drop_last)

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return self

    def __next__(self) -> Any:
        with record_range(self._profile_name):
            batch = self._fetcher.fetch(next(self._sampler_iter))
            self._num_yielded += 1
            if self._promised is not None and self._num_yielded > self._promised:
                self._warn_too_long()
            return batch

    def _warn_too_long(self) -> None:
        warnings.warn(f"Length of IterableDataset {self._dataset} was reported to be {self._promised}(when accessing "
                      f"len(dataloader)), but {self._num_yielded} samples have been fetched. ", stacklevel=3)

    def __len__(self) -> int:
        return len(self._index_sampler)


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context) -> None:
    """What only makes sense with worker processes, and that there are none yet."""
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers > 0:
        raise NotImplementedError("worker processes are not there yet: DataLoader loads in this process; "
                                  f"use num_workers=0 instead of num_workers={num_workers}")
    if prefetch_factor is not None:
        raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
                         "enable multiprocessing, otherwise set prefetch_factor to None.")
    if persistent_workers:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if multiprocessing_context is not None:
        raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0), but "
                         f"got num_workers={num_workers}")


def get_worker_info() -> None:
    """What a worker process knows of itself; None outside of one, which is everywhere as long as there are none."""
    return None
