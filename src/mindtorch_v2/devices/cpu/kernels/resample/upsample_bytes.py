"""Images of bytes, resampled in whole numbers as torch does: one dimension after the other, rounded after each."""

from __future__ import annotations

import numpy as np

from ...reference.interpolation import TAPS

WEIGHT_BITS, MOST_BITS = 15, 22  # of a signed 16-bit number; of a weight's fraction
LARGEST_BYTE = 255


def upsample_bytes(out: np.ndarray, x: np.ndarray, kernel: str, align_corners: bool, scales: tuple) -> None:
    """``x`` resampled by the taps of a kernel; the last dimension comes first."""
    now = x
    for axis in range(-1, -len(scales) - 1, -1):
        size, count = x.shape[axis], out.shape[axis]
        if size != count:
            at, weight, _ = TAPS[kernel](size, count, align_corners, scales[axis], np.dtype(np.float64))
            now = np.moveaxis(_mixed(np.moveaxis(now, axis, -1), at, *_in_whole_numbers(_merged(at, weight))), -1, axis)
    out[...] = now


def _merged(at: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of taps that look at one element, at the edge, added up in the last of them."""
    weight = weight.copy()
    for tap in range(1, at.shape[1]):
        same = at[:, tap] == at[:, tap - 1]
        weight[same, tap] += weight[same, tap - 1]
        weight[same, tap - 1] = 0
    return weight


def _in_whole_numbers(weight: np.ndarray) -> tuple[np.ndarray, int]:
    """Weights as 16-bit numbers, and how many of their bits are the fraction: as many as the largest weight leaves."""
    largest, bits = weight.max(initial=0), 0
    while bits < MOST_BITS and int(0.5 + largest * (1 << bits + 1)) < 1 << WEIGHT_BITS:
        bits += 1
    scaled = weight * (1 << bits)
    return np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int32), bits


def _mixed(x: np.ndarray, at: np.ndarray, weight: np.ndarray, bits: int) -> np.ndarray:
    """The last dimension resampled and rounded to bytes."""
    total = np.full((*x.shape[:-1], len(at)), 1 << bits - 1, np.int32)
    for tap in range(at.shape[1]):
        total += x[..., at[:, tap]] * weight[:, tap]
    return np.clip(total >> bits, 0, LARGEST_BYTE).astype(np.uint8)
