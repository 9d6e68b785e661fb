"""Errors of torch's for except clauses: of devices, and of matrices for which a computation has no answer."""

from __future__ import annotations


class OutOfMemoryError(RuntimeError):
    """A device has no memory left."""


class AcceleratorError(RuntimeError):
    """A device failed."""


class _LinAlgError(RuntimeError):
    """A matrix is singular or not positive, or does not converge; users know it as torch.linalg.LinAlgError."""


_LinAlgError.__module__ = "torch._C"
OutOfMemoryError.__module__ = AcceleratorError.__module__ = __name__.partition(".")[0]


class FatalError(Exception):
    """An error after which nothing can go on; torch raises it on devices."""

    __module__ = "torch"
