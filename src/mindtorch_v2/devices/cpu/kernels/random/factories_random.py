"""Permutations."""

from __future__ import annotations

import numpy as np

from ... import random
from ...layout import compact


def randperm(out: np.ndarray, engine: random.Engine, n: int) -> None:
    """A permutation of 0 … n-1."""
    drawn = compact(out)
    random.randperm(engine, n, drawn)
    if drawn is not out:
        out[...] = drawn
