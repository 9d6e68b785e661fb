"""What torch raises for failures among processes."""

from __future__ import annotations


class DistError(RuntimeError):
    """A failure among processes."""


class DistBackendError(DistError):
    """A failure of the way to other processes."""


class DistNetworkError(DistError):
    """A connection that could not be made, or that broke."""


class DistStoreError(DistError):
    """A key that nobody set in time."""


class QueueEmptyError(DistStoreError):
    """Nothing waits in a store's queue."""
