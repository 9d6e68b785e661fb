"""Normal numbers from pairs of uniform ones (Box and Muller, 1958), in the two ways torch draws them."""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .fused import fma_f32, fma_f64
from .mersenne import Engine

BLOCK, HALF_BLOCK = 16, 8
LOG = (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
       -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
PI_QUARTER = (0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)
COS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
SIN = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
f32 = np.float32


def unit_f32(words: np.ndarray) -> np.ndarray:
    """The lower 24 bits as a float in [0, 1)."""
    return (words & np.uint32(0xFFFFFF)).astype(f32) * f32(2**-24)


def unit_f64(words: np.ndarray) -> np.ndarray:
    """The lower 53 bits as a double in [0, 1)."""
    return (words & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53


def libm(function: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    """The C library's function on each number; NumPy's own versions differ in the last digit."""
    return np.frompyfunc(function, 1, 1)(x).astype(np.float64)


def _polynomial(coefficients: tuple[float, ...], x: np.ndarray) -> np.ndarray:
    y = f32(coefficients[0])
    for c in coefficients[1:]:
        y = fma_f32(y, x, f32(c))
    return y


def log_cephes(x: np.ndarray) -> np.ndarray:
    """Cephes' logf (Moshier) in fused arithmetic, for 0 < x <= 1."""
    bits = x.view(np.uint32)
    e = ((bits >> 23).astype(np.int32) - 126).astype(f32)
    f = ((bits & np.uint32(0x007FFFFF)) | np.uint32(0x3F000000)).view(f32)
    low = f < f32(0.707106781186547524)
    e = np.where(low, e - f32(1), e)
    f = np.where(low, (f - f32(1)) + f, f - f32(1))
    z = f * f
    y = fma_f32(_polynomial(LOG, f) * f, z, e * f32(-2.12194440e-4)) - z * f32(0.5)
    return fma_f32(e, f32(0.693359375), f + y)


def cos_sin_cephes(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cephes' cosf and sinf (Moshier) in fused arithmetic, for 0 <= x < 8."""
    octant = ((x * f32(1.27323954473516)).astype(np.int32) + 1) & ~1
    for part in PI_QUARTER:
        x = fma_f32(octant.astype(f32), f32(-part), x)
    z = x * x
    c = fma_f32(_polynomial(COS, z) * z, z, -(z * f32(0.5))) + f32(1)
    s = fma_f32(_polynomial(SIN, z) * z, x, x)
    swapped = octant & 2 != 0
    cos_part, sin_part = np.where(swapped, s, c), np.where(swapped, c, s)
    return np.where((octant + 2) & 4, -cos_part, cos_part), np.where(octant & 4, -sin_part, sin_part)


def _blocks_f32(x: np.ndarray, mean: float, std: float) -> np.ndarray:
    a, b = x.reshape(-1, 2, HALF_BLOCK).swapaxes(0, 1)
    radius = np.sqrt(f32(-2) * log_cephes(f32(1) - a))
    cos, sin = cos_sin_cephes(f32(2 * math.pi) * b)
    return fma_f32(np.stack([radius * cos, radius * sin], 1), f32(std), f32(mean)).reshape(-1)


def _blocks_f64(x: np.ndarray, mean: float, std: float) -> np.ndarray:
    a, b = x.reshape(-1, 2, HALF_BLOCK).swapaxes(0, 1)
    radius, angle = np.sqrt(-2.0 * libm(math.log, 1.0 - a)), 2 * math.pi * b
    pairs = np.stack([radius * libm(math.cos, angle), radius * libm(math.sin, angle)], 1)
    return fma_f64(pairs, std, mean).reshape(-1)


def normal_blocks(engine: Engine, n: int, mean: float, std: float, dtype: np.dtype) -> np.ndarray:
    """n >= 16 numbers; in each 16 uniform ones, number j and number j + 8 make a pair."""
    double = dtype == np.float64

    def uniform(count: int) -> np.ndarray:
        return unit_f64(engine.words64(count)) if double else unit_f32(engine.words(count))
    blocks = _blocks_f64 if double else _blocks_f32
    whole = n - n % BLOCK
    out = np.empty(n, np.float64 if double else f32)
    out[:whole] = blocks(uniform(whole), mean, std)
    if n % BLOCK:  # a last block that is not full is not filled up: the last 16 numbers are drawn anew
        if dtype.itemsize > 2:  # and here torch has drawn its incomplete uniform numbers before that
            uniform(n % BLOCK)
        out[-BLOCK:] = blocks(uniform(BLOCK), mean, std)
    return out


def normal_one_by_one(engine: Engine, n: int, mean: float, std: float) -> np.ndarray:
    """n doubles; the second number of a pair is kept by the engine for the next call."""
    kept = [] if engine.spare is None or not n else [engine.spare]
    pairs = (n - len(kept) + 1) // 2
    u = unit_f64(engine.words64(2 * pairs))
    angle, radius = 2 * math.pi * u[0::2], np.sqrt(-2.0 * libm(math.log1p, -u[1::2]))
    drawn = np.stack([radius * libm(math.cos, angle), radius * libm(math.sin, angle)], 1).reshape(-1)
    numbers = np.concatenate([kept, drawn])
    if n:
        engine.spare = float(numbers[n]) if len(numbers) > n else None
    return fma_f64(numbers[:n], std, mean)
