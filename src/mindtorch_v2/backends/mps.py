"""torch.backends.mps: there is none."""

from __future__ import annotations


def is_available() -> bool:
    return False


def is_built() -> bool:
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """False: torch asks its library for Apple's devices, which is not there."""
    return False


def is_macos13_or_newer(minor: int = 0) -> bool:
    return False
