"""Pipes that let only some items through."""

from __future__ import annotations

from collections.abc import Callable

from ..callables import from_columns, warn_local
from ..datapipe import IterDataPipe, functional_datapipe


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe):
    """The items that a function says True to."""

    def __init__(self, datapipe: IterDataPipe, filter_fn: Callable, input_col=None):
        super().__init__()
        self.datapipe = datapipe
        warn_local(filter_fn)
        self.filter_fn = filter_fn
        self.input_col = input_col

    def __iter__(self):
        for item in self.datapipe:
            wanted = from_columns(self.filter_fn, item, self.input_col)
            if not isinstance(wanted, bool):
                raise ValueError("Boolean output is required for `filter_fn` of FilterIterDataPipe, got", type(wanted))
            if wanted:
                yield item


@functional_datapipe("sharding_filter")
class ShardingFilterIterDataPipe(IterDataPipe):
    """Every n-th item, where several readers share a stream."""

    def __init__(self, source_datapipe: IterDataPipe, sharding_group_filter=None):
        self.source_datapipe = source_datapipe
        self.sharding_group_filter = sharding_group_filter
        self.num_of_instances = 1
        self.instance_id = 0

    def is_shardable(self) -> bool:
        return True

    def apply_sharding(self, num_of_instances: int, instance_id: int, sharding_group=None) -> None:
        """Say how many readers there are, and which of them this is."""
        if instance_id >= num_of_instances:
            raise ValueError(f"instance_id({instance_id}) should be smaller than num_of_instances({num_of_instances})")
        self.num_of_instances, self.instance_id = num_of_instances, instance_id

    def __iter__(self):
        for i, item in enumerate(self.source_datapipe):
            if i % self.num_of_instances == self.instance_id:
                yield item

    def __len__(self) -> int:
        whole, rest = divmod(len(self.source_datapipe), self.num_of_instances)
        return whole + (self.instance_id < rest)
