"""torch.distributed.fsdp: modules that many processes hold parts of, for isinstance(); none can be made."""

from __future__ import annotations

from typing import NoReturn

from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...nn.modules.module import Module
from .api import (
    BackwardPrefetch,
    CPUOffload,
    CPUOffloadPolicy,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    LocalOptimStateDictConfig,
    LocalStateDictConfig,
    MixedPrecision,
    MixedPrecisionPolicy,
    OffloadPolicy,
    OptimStateDictConfig,
    OptimStateKeyType,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)

__all__ = ["BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "FSDPModule", "FullOptimStateDictConfig",
           "FullStateDictConfig", "FullyShardedDataParallel", "LocalOptimStateDictConfig", "LocalStateDictConfig",
           "MixedPrecision", "MixedPrecisionPolicy", "OffloadPolicy", "OptimStateDictConfig", "OptimStateKeyType",
           "ShardedOptimStateDictConfig", "ShardedStateDictConfig", "ShardingStrategy", "StateDictConfig",
           "StateDictSettings", "StateDictType", "fully_shard", "register_fsdp_forward_method"]
_ALONE = "mindtorch_v2 makes no groups of several processes, and so no modules that are divided among them"


class FullyShardedDataParallel(Module):
    """A module of which this process holds a part."""

    def __init__(self, *args, **kwargs) -> None:
        raise RuntimeError(_ALONE)


class FSDPModule:
    """The same, as a class beside the module's own."""

    def __new__(cls, *args, **kwargs) -> NoReturn:
        raise RuntimeError(_ALONE)


def fully_shard(module: Module, **options) -> NoReturn:
    """Refused."""
    raise RuntimeError(_ALONE)


def register_fsdp_forward_method(module: Module, method_name: str) -> None:
    """Nothing for a module that is not divided, and none is."""


_answer_for_missing(__name__)
