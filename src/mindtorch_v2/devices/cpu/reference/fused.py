"""a * b + c rounded once, as processors with FMA compute it, in plain NumPy."""
from __future__ import annotations

import numpy as np


def _two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rounded sum and what was rounded away (Knuth)."""
    total = a + b
    b_seen = total - a
    return total, (a - (total - b_seen)) + (b - b_seen)


def _split(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Upper and lower half of the digits (Veltkamp)."""
    scaled = 134217729.0 * a
    upper = scaled - (scaled - a)
    return upper, a - upper


def _two_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rounded product and what was rounded away (Dekker)."""
    product = a * b
    a_up, a_low = _split(a)
    b_up, b_low = _split(b)
    return product, ((a_up * b_up - product) + a_up * b_low + a_low * b_up) + a_low * b_low


def _odd_sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b, rounded to the neighbour with an odd last digit: a second rounding then errs no further."""
    total, lost = _two_sum(a, b)
    bits = np.array(total, np.float64, ndmin=1).view(np.int64)
    to_fix = np.isfinite(lost) & (lost != 0) & (bits & 1 == 0)
    away = (lost > 0) == (total > 0)
    return (bits + np.where(to_fix, np.where(away, 1, -1), 0)).view(np.float64)


def fma_f32(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Fused for float32: the product is exact in float64."""
    a, b, c = (np.asarray(x, np.float32).astype(np.float64) for x in (a, b, c))
    return _odd_sum(a * b, c).astype(np.float32)


def fma_f64(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Fused for float64, away from the ends of its range (Boldo and Melquiond, 2008)."""
    with np.errstate(invalid="ignore", over="ignore"):
        product, product_lost = _two_product(a, b)
        upper, lower = _two_sum(c, product_lost)
        total, total_lost = _two_sum(product, upper)
        fused = total + _odd_sum(lower, total_lost)
        return np.where(np.isfinite(fused), fused, a * b + c)
