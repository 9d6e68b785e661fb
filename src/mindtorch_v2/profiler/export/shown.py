"""Text for people who work in an interactive shell."""

from __future__ import annotations


class Shown(str):
    """A text that an interactive shell shows as it is printed."""

    def __repr__(self) -> str:
        return str(self)
