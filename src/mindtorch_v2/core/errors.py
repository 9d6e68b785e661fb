"""Errors of torch's that devices raise; for except clauses."""

from __future__ import annotations


class OutOfMemoryError(RuntimeError):
    """A device has no memory left."""


class AcceleratorError(RuntimeError):
    """A device failed."""


OutOfMemoryError.__module__ = AcceleratorError.__module__ = __name__.partition(".")[0]
