"""DataLoader: items of a dataset, in an order, in batches."""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.context import BaseContext
from typing import Any, Generic, TypeVar

from ...core.user_warning import warn_user
from ._utils.collate import default_collate, default_convert
from ._utils.fetch import _DatasetKind
from ._utils.worker import get_worker_info
from .datapipes.datapipe import IterDataPipe, _IterDataPipeSerializationWrapper
from .dataset import Dataset, IterableDataset
from .graph_settings import apply_shuffle_settings
from .iterators import _BaseDataLoaderIter, _SingleProcessDataLoaderIter
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler
from .worker_iterator import _MultiProcessingDataLoaderIter, _sharding_worker_init_fn

__all__ = ["DataLoader", "_BaseDataLoaderIter", "_DatasetKind", "_InfiniteConstantSampler",
           "_MultiProcessingDataLoaderIter", "_SingleProcessDataLoaderIter", "_sharding_worker_init_fn",
           "default_collate", "default_convert", "get_worker_info"]

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
_worker_init_fn_t = Callable[[int], None]
_collate_fn_t = Callable[[list[T]], Any]
PREFETCHED = 2  # batches that a worker is asked for ahead of the loop, unless told otherwise
TOO_MANY_WORKERS = ("This DataLoader will create {} worker processes in total. Our suggested max number of worker in "
                    "current system is {}, which is smaller than what this DataLoader is going to create. Please be "
                    "aware that excessive worker creation might get DataLoader running slow or even freeze, lower the "
                    "worker number to avoid potential slowness/freeze if necessary.")
# What a loader is made of: fixed once it is made.
FIXED = frozenset(("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"))


class DataLoader(Generic[T_co]):
    """An iterable over batches of a dataset, loaded in this process or by workers."""

    __initialized = False
    _iterator: _BaseDataLoaderIter | None = None  # of persistent workers

    def __init__(self, dataset: Dataset[T_co], batch_size: int | None = 1, shuffle: bool | None = None,
                 sampler: Sampler | Iterable | None = None, batch_sampler: Sampler | Iterable | None = None,
                 num_workers: int = 0, collate_fn: Callable | None = None, pin_memory: bool = False,
                 drop_last: bool = False, timeout: float = 0, worker_init_fn: Callable | None = None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor: int | None = None,
                 persistent_workers: bool = False, pin_memory_device: str = "", in_order: bool = True):
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        if isinstance(dataset, IterDataPipe):
            dataset, shuffle = _IterDataPipeSerializationWrapper(apply_shuffle_settings(dataset, shuffle)), None
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = PREFETCHED if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.in_order = in_order
        self.multiprocessing_context = multiprocessing_context
        self._dataset_kind = _DatasetKind.Iterable if isinstance(dataset, IterableDataset) else _DatasetKind.Map
        if self._dataset_kind == _DatasetKind.Iterable:
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
        self.check_worker_number_rationality()

    @staticmethod
    def _check_stream(shuffle, sampler, batch_sampler) -> None:
        """A stream has its own order."""
        given = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                                 f"{name}={value}")

    def _default_sampler(self, shuffle, generator) -> Sampler | Iterable:
        if self._dataset_kind == _DatasetKind.Iterable:
            return _InfiniteConstantSampler()
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

    @property
    def multiprocessing_context(self):
        """How workers are started: a context of multiprocessing, or None for Python's own choice."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, multiprocessing_context) -> None:
        if multiprocessing_context is not None:
            multiprocessing_context = _context(multiprocessing_context, self.num_workers)
        self.__multiprocessing_context = multiprocessing_context

    def _get_iterator(self) -> _BaseDataLoaderIter:
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    def __iter__(self) -> _BaseDataLoaderIter:
        if not self.persistent_workers or self.num_workers == 0:
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    def check_worker_number_rationality(self) -> None:
        """Warn of more workers than there are processors for this process."""
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        if self.num_workers and (processors is None or self.num_workers > processors):
            warn_user(TOO_MANY_WORKERS.format(self.num_workers, processors))

    def __len__(self) -> int:
        """Number of batches; of a stream, what its own length promises."""
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)


class _InfiniteConstantSampler(Sampler):
    """Something to count a stream's items with."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers) -> None:
    """What only makes sense with worker processes."""
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
                         "enable multiprocessing, otherwise set prefetch_factor to None.")
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _context(context, num_workers: int):
    """A context of multiprocessing, given as one or by its name."""
    if num_workers == 0:
        raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0), but "
                         f"got num_workers={num_workers}")
    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(f"multiprocessing_context option should specify a valid start method in {methods!r}, but "
                             f"got multiprocessing_context={context!r}")
        context = multiprocessing.get_context(context)
    if not isinstance(context, BaseContext):
        raise TypeError("multiprocessing_context option should be a valid context object or a string specifying the "
                        f"start method, but got multiprocessing_context={context}")
    return context
