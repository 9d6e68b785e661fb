"""Which version this is: PyTorch's, whose behaviour is the yardstick, and beside it our own."""

from __future__ import annotations

mindtorch = "0.1.0"
__version__ = "2.13.0+mindtorch." + mindtorch.removesuffix(".0")
cuda = hip = rocm = xpu = None
git_version = "Unknown"
debug = False

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "mindtorch", "rocm", "xpu"]
