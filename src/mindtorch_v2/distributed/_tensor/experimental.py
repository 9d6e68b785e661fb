"""torch.distributed._tensor.experimental: the older address of torch.distributed.tensor.experimental."""

from ...core.missing_name import missing as _missing
from ..tensor.experimental import implicit_replication

__all__ = ["implicit_replication"]
__getattr__ = _missing(__name__)
