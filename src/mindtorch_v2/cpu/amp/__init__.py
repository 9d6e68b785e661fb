"""torch.cpu.amp: older names, which warn of their successors in torch.amp."""

from .autocast_mode import autocast
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast"]
