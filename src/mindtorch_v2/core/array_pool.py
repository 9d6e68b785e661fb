"""Small arrays whose tensors died: none is kept uncompiled, where NumPy makes every array anew (array_pool.pyx)."""

from __future__ import annotations

import numpy as np


def keep(array: np.ndarray) -> None:
    """Take an array from its last owner, who is about to let it go."""
