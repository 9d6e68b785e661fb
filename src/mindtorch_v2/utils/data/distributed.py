"""torch.utils.data.distributed: each of several processes takes its share of a dataset."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

from ...api.install import FUNCTIONS
from ...ops.random.generator import Generator
from .sampler import Sampler


class DistributedSampler(Sampler[int]):
    """Every ``num_replicas``-th index from ``rank`` on, in an order that all processes draw alike."""

    def __init__(self, dataset: Sized, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True,
                 seed: int = 0, drop_last: bool = False):
        if num_replicas is None or rank is None:
            from ...distributed.ranks import get_rank, get_world_size  # an error if there is no group
            num_replicas = get_world_size() if num_replicas is None else num_replicas
            rank = get_rank() if rank is None else rank
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.epoch = 0
        size = len(dataset)
        if drop_last and size % num_replicas != 0:
            self.num_samples = math.ceil((size - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(size / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        size = len(self.dataset)
        if self.shuffle:
            order = FUNCTIONS["randperm"](size, generator=Generator().manual_seed(self.seed + self.epoch)).tolist()
        else:
            order = list(range(size))
        if not self.drop_last:
            rounds = math.ceil(self.total_size / size) if size else 0
            order = order * rounds  # begins anew where there are too few
        return iter(order[:self.total_size][self.rank::self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Have the next epoch in another order, the same in all processes."""
        self.epoch = epoch
