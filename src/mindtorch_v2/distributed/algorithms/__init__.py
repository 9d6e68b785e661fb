"""torch.distributed.algorithms: of it, the block for processes with different numbers of batches."""

from . import join
from .join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable", "join"]
