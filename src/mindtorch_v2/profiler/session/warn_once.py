"""Warnings that are worth saying once per process."""

from __future__ import annotations

from .user_warning import Line, warn_user

_WARNINGS_SHOWN: set[str] = set()


def _warn_once(msg, category=UserWarning, stacklevel=2, otherwise: Line | None = None) -> None:
    """Warn at the user's line, which is found without torch's ``stacklevel``, or at another if there is none."""
    if msg not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(msg)
        warn_user(msg, category, otherwise=otherwise)
