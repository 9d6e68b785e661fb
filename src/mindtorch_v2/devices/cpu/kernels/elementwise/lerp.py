"""Between two arrays, and a step along a product or quotient."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import update
from ...array_facts import is_half
from ...layout import empty_of, stored


def _lerp_tensor(start: np.ndarray, end: np.ndarray, weight: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """torch's two formulas: whichever end is nearer is met exactly."""
    if is_half(start):
        start, end, weight = (a.astype(np.float32) for a in (start, end, weight))
    between = np.where(np.abs(weight) < 0.5, start + weight * (end - start), end - (end - start) * (1 - weight))
    return stored(between, out)


def _lerp(start: np.ndarray, end: np.ndarray, weight, out: np.ndarray | None = None) -> np.ndarray:
    if start.dtype.kind == "c":
        return _lerp_tensor(start, end, start.dtype.type(weight), out)
    return _run(update.lerp_scalar, (start, end), weight, out)


def _addcmul(base: np.ndarray, a: np.ndarray, b: np.ndarray, value, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind in "iubc":
        return np.add(base, base.dtype.type(value) * a * b, out=out)
    return _run(update.addcmul, (base, a, b), value, out)


def _addcdiv(base: np.ndarray, a: np.ndarray, b: np.ndarray, value, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind == "c":
        return np.add(base, base.dtype.type(value) * a / b, out=out)
    return _run(update.addcdiv, (base, a, b), value, out)


def _run(loop: Callable, arrays: tuple, number, out: np.ndarray | None) -> np.ndarray:
    dtype = arrays[-1].dtype
    arrays = (arrays[0].astype(dtype, copy=False), *arrays[1:])  # in place the first comes in its own type
    fits = out is not None and out.dtype is dtype
    result = out if fits else empty_of(arrays)
    loop(result, *arrays, number)
    return result if fits else stored(result, out)


ELEMENTWISE = {
    "lerp": (_lerp, update.lerp_scalar),
    "lerp_tensor": (_lerp_tensor, update.lerp_tensor),
    "addcmul": (_addcmul, update.addcmul),
    "addcdiv": (_addcdiv, update.addcdiv),
}
