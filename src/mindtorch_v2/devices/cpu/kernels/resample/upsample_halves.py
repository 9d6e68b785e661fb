"""Resampling in half precision where torch keeps tables: their weights are of the type of the elements."""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...reference.interpolation import TAPS

LINEAR_TAPS = 2


@silent
def upsample_halves(out: np.ndarray, x: np.ndarray, kernel: str, align_corners: bool, scales: tuple) -> None:
    """``x`` resampled by the taps of a kernel in single precision, with rounded weights."""
    now = x.astype(np.float32)
    for axis in range(-1, -len(scales) - 1, -1):
        at, weight, _ = TAPS[kernel](x.shape[axis], out.shape[axis], align_corners, scales[axis],
                                     np.dtype(np.float32))
        weight, lines = _rounded(weight, x.dtype), np.moveaxis(now, axis, -1)
        mixed = lines[..., at[:, 0]] * weight[:, 0]
        for tap in range(1, at.shape[1]):
            mixed += lines[..., at[:, tap]] * weight[:, tap]
        now = np.moveaxis(mixed, -1, axis)
    out[...] = now


def _rounded(weight: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Weights in half precision; of two, the first is what the second leaves of one."""
    weight = weight.astype(dtype).astype(np.float32)
    if weight.shape[1] == LINEAR_TAPS:
        weight[:, 0] = (1 - weight[:, 1]).astype(dtype)
    return weight
