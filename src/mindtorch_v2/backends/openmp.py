"""torch.backends.openmp: kernels here run on the thread that calls them."""

from __future__ import annotations


def is_available() -> bool:
    return False
