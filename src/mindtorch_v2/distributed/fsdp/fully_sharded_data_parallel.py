"""torch.distributed.fsdp.fully_sharded_data_parallel: torch's address for the class."""

from ...core.missing_name import missing as _missing
from . import FullyShardedDataParallel

__all__ = ["FullyShardedDataParallel"]
__getattr__ = _missing(__name__)
