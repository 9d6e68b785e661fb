"""torch.distributed.fsdp: modules that many processes hold parts of, for isinstance(); none can be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from ...core.dtype import DType
from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...nn.modules.module import Module

__all__ = ["CPUOffloadPolicy", "FSDPModule", "FullyShardedDataParallel", "MixedPrecisionPolicy", "OffloadPolicy",
           "fully_shard"]
_ALONE = "mindtorch_v2 makes no groups of several processes, and so no modules that are divided among them"


class FullyShardedDataParallel(Module):
    """A module of which this process holds a part."""

    def __init__(self, *args, **kwargs) -> None:
        raise RuntimeError(_ALONE)


class FSDPModule:
    """The same, as a class beside the module's own."""

    def __new__(cls, *args, **kwargs) -> NoReturn:
        raise RuntimeError(_ALONE)


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """In which types a divided module would compute and send."""

    param_dtype: DType | None = None
    reduce_dtype: DType | None = None
    output_dtype: DType | None = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    """Parameters would stay on their device."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """They would wait in the host's memory."""

    pin_memory: bool = True


def fully_shard(module: Module, **options) -> NoReturn:
    """Refused."""
    raise RuntimeError(_ALONE)


_answer_for_missing(__name__)
