"""Freed memory is kept for the next result: the kernel clears every page that it hands out, which costs more than many
loops. Storages report their allocations and releases all the same."""

from __future__ import annotations

import ctypes
import os
import sys

# What glibc calls these settings of its malloc, and the variables by which a user may have set them.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_VARIABLES = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")
LARGEST = 32 << 20  # bytes of a block that comes from the heap, and can be kept: glibc's own limit
KEPT = 256 << 20  # bytes at the end of the heap that stay with the process


def keep_freed_blocks() -> bool:
    """Let malloc keep some of what is freed; False where it is not glibc's, or the user has said what to do."""
    if not sys.platform.startswith("linux") or any(name in os.environ for name in _VARIABLES):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_MMAP_THRESHOLD, LARGEST) and mallopt(_TRIM_THRESHOLD, KEPT))


keep_freed_blocks()
