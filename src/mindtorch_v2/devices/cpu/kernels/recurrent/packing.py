"""Lengths and batch sizes, which are known as Python's numbers."""

from __future__ import annotations

import numpy as np


def fill_from_list(out: np.ndarray, numbers: list[int]) -> None:
    """Numbers written into an array."""
    out[...] = numbers
