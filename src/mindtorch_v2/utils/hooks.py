"""torch.utils.hooks: re-exports."""

from __future__ import annotations

from ..autograd.hooks import RemovableHandle, unserializable_hook, warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
