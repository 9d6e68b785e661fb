"""One pass over a loader in this process, and what passes have in common."""

from __future__ import annotations

import warnings
from typing import Any

from ...ops.random.generator import Generator
from ...record.plain_text import name_of_type
from ...record.ranges import record_range
from . import _utils
from ._utils.fetch import _DatasetKind
from .datapipes.datapipe import IterDataPipe, MapDataPipe
from .graph_settings import apply_random_seed, apply_sharding
from .sampler import draw_seed

NO_ACCELERATOR = ("'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't "
                  "be used.")
NOT_SHARED = ("For multiprocessing data-loading, this could be caused by not properly configuring the IterableDataset "
              "replica at each worker. Please see "
              "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples.")


class _BaseDataLoaderIter:
    """One pass over a loader: subclasses give ``_next_data``."""

    def __init__(self, loader):
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._auto_collation = loader._auto_collation
        self._drop_last = loader.drop_last
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        self._timeout = loader.timeout
        self._collate_fn = loader.collate_fn
        self._persistent_workers = loader.persistent_workers
        self._pin_memory, self._pin_memory_device = False, None  # there is no device that could read it
        if loader.pin_memory:
            if loader.pin_memory_device:
                warnings.warn("pin_memory_device is deprecated, the current accelerator will be used as the device,"
                              f"ignore pin_memory_device='{loader.pin_memory_device}'.", stacklevel=4)
            warnings.warn(NO_ACCELERATOR, stacklevel=4)
        self._begin(loader)
        # Without workers nobody needs this seed, but torch draws it, so later random numbers depend on it.
        self._base_seed = draw_seed(loader.generator)
        self._profile_name = f"enumerate(DataLoader)#{name_of_type(type(self))}.__next__"

    def _begin(self, loader) -> None:
        """Start over with the first index."""
        self._shared_seed = None
        if isinstance(self._dataset, IterDataPipe):
            self._shared_seed = draw_seed(loader.generator)
            apply_random_seed(self._dataset, Generator().manual_seed(self._shared_seed))
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called

    def _reset(self, loader, first_iter: bool = False) -> None:
        """Begin a pass; torch does so anew before the first one too, and samplers may draw random numbers for it."""
        self._begin(loader)

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        with record_range(self._profile_name):
            data = self._next_data()
            self._num_yielded += 1
            promised = self._IterableDataset_len_called
            if promised is not None and self._num_yielded > promised and self._dataset_kind == _DatasetKind.Iterable:
                self._warn_too_long(promised)
            return data

    def _warn_too_long(self, promised: int) -> None:
        warnings.warn(f"Length of IterableDataset {self._dataset} was reported to be {promised}(when accessing "
                      f"len(dataloader)), but {self._num_yielded} samples have been fetched. "
                      f"{NOT_SHARED if self._num_workers else ''}", stacklevel=3)

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """A pass that loads in this process."""

    def __init__(self, loader):
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        if self._num_workers != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires num_workers == 0")
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            apply_sharding(self._dataset, 1, 0)
        self._dataset_fetcher = _DatasetKind.create_fetcher(
            self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn, self._drop_last)

    def _next_data(self) -> Any:
        data = self._dataset_fetcher.fetch(self._next_index())
        return _utils.pin_memory.pin_memory(data, self._pin_memory_device) if self._pin_memory else data
