"""torch.backends.nnpack: NNPACK is not part of this build."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_SETTING = {"enabled": True}  # kept and told: there is nothing to switch


def is_available() -> bool:
    return False


def set_flags(_enabled: bool) -> tuple[bool]:
    """Whether it may be used; what held before."""
    before, _SETTING["enabled"] = _SETTING["enabled"], bool(_enabled)
    return (before,)


@contextmanager
def flags(enabled: bool = False) -> Iterator[None]:
    """The same for a block."""
    before = set_flags(enabled)
    try:
        yield
    finally:
        set_flags(*before)
