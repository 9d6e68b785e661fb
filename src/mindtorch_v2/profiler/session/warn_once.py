"""Warnings that are worth saying once per process."""

from __future__ import annotations

from .user_warning import warn_user

_WARNINGS_SHOWN: set[str] = set()


def _warn_once(msg, category=UserWarning, stacklevel=2) -> None:
    """Warn at the user's line, which is found without torch's ``stacklevel``."""
    if msg not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(msg)
        warn_user(msg, category)
