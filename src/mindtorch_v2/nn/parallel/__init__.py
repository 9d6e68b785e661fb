"""torch.nn.parallel: one model on several accelerators, of which there are none; what PyTorch does then."""

from __future__ import annotations

import warnings

from . import comm, distributed, scatter_gather
from .data_parallel import DataParallel, data_parallel
from .distributed import DistributedDataParallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel", "gather", "parallel_apply", "replicate",
           "scatter"]


class DistributedDataParallelCPU(DistributedDataParallel):
    """An older name of DistributedDataParallel."""

    def __init__(self, *args, **kwargs) -> None:
        warnings.warn("`torch.nn.parallel.DistributedDataParallelCPU` is deprecated, please use "
                      "`torch.nn.parallel.DistributedDataParallel` instead.", FutureWarning, stacklevel=2)
        super().__init__(*args, **kwargs)
