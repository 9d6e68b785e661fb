"""Exceptions that travel from other processes and threads, and are raised here."""

from __future__ import annotations

import sys
import traceback


class KeyErrorMessage(str):
    """A text that a KeyError shows as it is, lines and all."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self


class ExceptionWrapper:
    """An exception of elsewhere, with its traceback as text, to be raised here."""

    def __init__(self, exc_info=None, where: str = "in background"):
        kind, *_ = exc_info = sys.exc_info() if exc_info is None else exc_info
        self.exc_type = kind
        self.exc_msg = "".join(traceback.format_exception(*exc_info))
        self.where = where

    def reraise(self) -> None:
        """Raise it: the same class where that takes a text, else a RuntimeError."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = KeyErrorMessage(message)
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=message)
        try:
            exception = self.exc_type(message)
        except Exception:
            raise RuntimeError(message) from None  # its constructor wants something else
        raise exception
