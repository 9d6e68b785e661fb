"""torch.distributed.fsdp.fully_sharded_data_parallel: torch's address for the class and its options."""

from ...core.missing_name import missing as _missing
from . import FullyShardedDataParallel
from .api import (  # noqa: F401  torch's address
    BackwardPrefetch,
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    LocalOptimStateDictConfig,
    LocalStateDictConfig,
    MixedPrecision,
    OptimStateDictConfig,
    OptimStateKeyType,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)

__all__ = ["FullyShardedDataParallel", "OptimStateKeyType"]
__getattr__ = _missing(__name__)
