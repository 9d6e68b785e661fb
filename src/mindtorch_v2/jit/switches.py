"""Switches of torch.jit's optimizer, which programs set; there is nothing that they switch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_onednn_fusion = False


def enable_onednn_fusion(enabled: bool) -> None:
    """Kept, and told."""
    global _onednn_fusion
    _onednn_fusion = enabled


def onednn_fusion_enabled() -> bool:
    return _onednn_fusion


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The strategy before; nothing is fused."""
    return []


@contextlib.contextmanager
def fuser(name: str) -> Iterator[None]:
    """Which fuser works inside a block."""
    yield


@contextlib.contextmanager
def optimized_execution(should_optimize: bool) -> Iterator[None]:
    """Whether programs are optimized inside a block."""
    yield


class strict_fusion:  # noqa: N801  torch's name
    """Whether everything inside a block must be fused."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error) -> None:
        pass
