"""Warnings that are worth saying once per process."""

from __future__ import annotations

import warnings

_WARNINGS_SHOWN: set[str] = set()


def _warn_once(msg, category=UserWarning, stacklevel=2) -> None:
    if msg not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(msg)
        warnings.warn(msg, category, stacklevel=stacklevel + 1)
