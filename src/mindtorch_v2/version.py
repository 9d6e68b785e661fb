"""Which version this is, at torch's address."""

from __future__ import annotations

__version__ = "0.1.0"
cuda = hip = rocm = xpu = None
git_version = "Unknown"
debug = False

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]
