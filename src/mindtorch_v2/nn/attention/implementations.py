"""Implementations of CUDA's flash attention that a program brings along: kept by name, and called when activated."""

from __future__ import annotations

import logging
from collections.abc import Callable

_logger = logging.getLogger(__name__)
_known: dict[str, Callable] = {}
_active: list = []  # the name and the handle of the one that was activated


def register_flash_attention_impl(impl: str, *, register_fn: Callable) -> None:
    """Keep a function that activates an implementation and returns a handle with ``remove()``."""
    _known[impl] = register_fn


def activate_flash_attention_impl(impl: str) -> None:
    """Activate an implementation in the place of another."""
    restore_flash_attention_impl(_raise_warn=False)
    if impl not in _known:
        raise ValueError(f"Unknown flash attention impl '{impl}'. Available implementations: "
                         f"{list_flash_attention_impls()}")
    handle = _known[impl]()
    if handle is not None:
        _active[:] = [impl, handle]


def list_flash_attention_impls() -> list[str]:
    """The names that are known; torch's own two are for CUDA and not here."""
    return sorted(_known)


def current_flash_attention_impl() -> str | None:
    """The name of the one that is active."""
    return _active[0] if _active else None


def restore_flash_attention_impl(_raise_warn: bool = True) -> None:
    """Take back what was activated."""
    if _active:
        _active[1].remove()
    elif _raise_warn:
        _logger.warning("Trying to restore default FA2 impl when no custom impl was activated")
    _active.clear()
