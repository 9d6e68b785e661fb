"""torch.distributed._composable.fsdp: the older address of torch.distributed.fsdp."""

from ...core.missing_name import missing as _missing
from ..fsdp import CPUOffloadPolicy, FSDPModule, MixedPrecisionPolicy, OffloadPolicy, fully_shard

__all__ = ["CPUOffloadPolicy", "FSDPModule", "MixedPrecisionPolicy", "OffloadPolicy", "fully_shard"]
__getattr__ = _missing(__name__)
