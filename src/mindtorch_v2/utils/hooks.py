"""torch.utils.hooks: re-exports."""

from __future__ import annotations

from ..autograd.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
