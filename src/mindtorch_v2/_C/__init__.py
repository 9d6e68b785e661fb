"""torch._C: addresses under which torch's tools look for things; what is here is re-exported from its room."""

from . import _autograd, _profiler

__all__ = ["_autograd", "_profiler"]
