"""Which version this is, at torch's address."""

from __future__ import annotations

__version__ = "0.1.0"
cuda = hip = xpu = git_version = None
debug = False
