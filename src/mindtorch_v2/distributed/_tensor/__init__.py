"""torch.distributed._tensor: the older address of torch.distributed.tensor."""

from ...core.missing_name import missing as _missing
from ..tensor import DTensor, Partial, Replicate, Shard, distribute_module, distribute_tensor

__all__ = ["DTensor", "Partial", "Replicate", "Shard", "distribute_module", "distribute_tensor"]
__getattr__ = _missing(__name__)
