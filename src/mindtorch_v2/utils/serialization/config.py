"""torch.utils.serialization.config, at torch's address."""

from ...serialization.config import load, save

__all__ = ["load", "save"]
