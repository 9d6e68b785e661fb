"""Division that leaves a rest, and the rest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def _guarded(function: Callable) -> Callable:
    """Integers can't be divided by zero; floating point can."""
    def kernel(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if a.dtype.kind in "iu" and a.size and not np.all(b):
            raise RuntimeError("ZeroDivisionError")
        return function(a, b, out=out)
    return kernel


def _truncated(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if a.dtype.kind not in "iu":
        return np.trunc(np.true_divide(a, b), out=out)
    quotient = np.floor_divide(a, b)
    # towards zero: one more where a rest was left between different signs
    return np.add(quotient, ((a < 0) != (b < 0)) & (quotient * b != a), out=out, dtype=a.dtype)


ELEMENTWISE = {
    "floor_divide": (_guarded(np.floor_divide), None),
    "trunc_divide": (_guarded(_truncated), None),
    "remainder": (_guarded(np.remainder), None),
    "fmod": (_guarded(np.fmod), None),
    "gcd": (np.gcd, None), "lcm": (np.lcm, None),
}
