"""torch.utils.serialization: how files are saved and loaded where a call does not say."""

from . import config

__all__ = ["config"]
