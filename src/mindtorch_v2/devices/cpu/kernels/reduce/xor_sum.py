"""The exclusive or of the bits of elements."""

from __future__ import annotations

import numpy as np


def xor_sum(out: np.ndarray, source: np.ndarray, dims: tuple[int, ...]) -> None:
    """The exclusive or over some dimensions, which the result keeps; floats as float64, integers as 64 bits."""
    if source.dtype.kind in "iub":
        bits = source.astype(np.int64 if source.dtype.kind == "i" else np.uint64).view(np.uint64)
    else:
        bits = source.astype(np.float64).view(np.uint64)
    np.bitwise_xor.reduce(bits, axis=dims, keepdims=out.ndim == source.ndim, out=out)
