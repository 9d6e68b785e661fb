"""Casts to and from floats of eight bits and complex32 as torch rounds them, by way of float32 and complex64."""

from __future__ import annotations

import ml_dtypes
import numpy as np

LARGEST_E4M3FN = 448.0
EXPONENT_BITS, MANTISSA_BITS, NAN_E8M0 = 0xFF, 23, 0xFF
HALF, BELOW_HALF = 1 << 22, (1 << 22) - 1


def _plain(values: np.ndarray) -> np.ndarray:
    return values


def _saturated(values: np.ndarray) -> np.ndarray:
    """Beyond the largest number comes the largest number; there is no infinity in this type."""
    return np.clip(values, -LARGEST_E4M3FN, LARGEST_E4M3FN)


def _powers_of_two(values: np.ndarray) -> np.ndarray:
    """The nearest power of two, halves upwards; the sign is lost."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    exponent = (bits >> MANTISSA_BITS) & EXPONENT_BITS
    is_half, is_more = bits & HALF != 0, bits & BELOW_HALF != 0
    is_rounded_up = (exponent != NAN_E8M0) & is_half & (is_more | (exponent > 0))
    return (exponent + is_rounded_up).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu).reshape(values.shape)


# How float32 becomes one of these types.
FLOATS = {ml_dtypes.float8_e4m3fn: _saturated, ml_dtypes.float8_e5m2: _plain, ml_dtypes.float8_e4m3fnuz: _plain,
          ml_dtypes.float8_e5m2fnuz: _plain, ml_dtypes.float8_e8m0fnu: _powers_of_two}
ROUNDED = frozenset((*FLOATS, ml_dtypes.complex32))


def rounded(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers in one of these types."""
    rounded = np.empty(values.shape, dtype)
    cast(rounded, values)
    return rounded


def cast(into: np.ndarray, source: np.ndarray) -> None:
    """Copy values into an array of another type, one of the two being one of these."""
    wide = source
    if source.dtype.type in ROUNDED:
        wide = source.astype(np.complex64 if source.dtype.type is ml_dtypes.complex32 else np.float32)
    if into.dtype.type is ml_dtypes.complex32:
        into[...] = wide.astype(np.complex64)
        return
    if wide.dtype.kind == "c" and into.dtype.kind not in "cb":
        wide = wide.real
    if into.dtype.type in FLOATS:
        wide = FLOATS[into.dtype.type](wide.astype(np.float32))
    np.copyto(into, wide, casting="unsafe")
