"""torch.backends.mha: whether attention layers may take their fused ops where nothing is trained."""

from __future__ import annotations

_is_fastpath_enabled: bool = True


def get_fastpath_enabled() -> bool:
    """Whether the fused ops are taken where they can be."""
    return _is_fastpath_enabled


def set_fastpath_enabled(value: bool) -> None:
    """Allow or forbid the fused ops."""
    global _is_fastpath_enabled
    _is_fastpath_enabled = value
