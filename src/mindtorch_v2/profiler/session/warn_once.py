"""Warnings that are worth saying once per process."""

from __future__ import annotations

from ...core.user_warning import Line, warn_user

_WARNINGS_SHOWN: set[str] = set()


def _warn_once(msg, category=UserWarning, stacklevel=2) -> None:
    """torch's function; the user's line is found without its ``stacklevel``."""
    warn_once(msg, category)


def warn_once(message: str, category: type[Warning] = UserWarning, otherwise: Line | None = None) -> None:
    """Warn at the user's line, or at another if there is none."""
    if message not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(message)
        warn_user(message, category, otherwise=otherwise)
