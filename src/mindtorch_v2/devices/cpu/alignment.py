"""Memory of large arrays on cache lines: where nothing is compiled, it lies as NumPy has it."""

from __future__ import annotations


def align_large_arrays() -> bool:
    """Whether large arrays that this thread makes from now on begin on a cache line: not without compiled code."""
    return False
