"""Where tensors are and what computes there: one folder or file a device, and the call that picks a device's kernel."""

from . import meta

__all__ = ["meta"]
