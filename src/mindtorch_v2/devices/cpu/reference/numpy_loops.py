"""What NumPy's own loops make of a few numbers, by its calls."""

from __future__ import annotations

import numpy as np

MOST = 32_768  # elements


def run_numpy_loop(function: np.ufunc, out: np.ndarray, first: np.ndarray, second: np.ndarray | None = None) -> bool:
    """Write what a ufunc makes of one or two arrays of one type; False where it has to be called."""
    operands = [first] if second is None else [first, second]
    if function.nin != len(operands) or function.nout != 1 or out.size > MOST or not out.flags.carray:
        return False
    if not all(a.flags.c_contiguous and (a.ndim == 0 or a.shape == out.shape) for a in operands):
        return False
    if not _has_loop(function, *operands, out):
        return False
    function(*operands, out=out)
    return True


def reduce_by_numpy_loop(function: np.ufunc, out: np.ndarray, source: np.ndarray, outer: int, n: int,
                         inner: int) -> bool:
    """Reduce the middle one of three dimensions in any order; False where NumPy has to be called."""
    if function.nin != 2 or function.nout != 1 or n < 1 or not (out.flags.carray and source.flags.c_contiguous):
        return False
    if source.size != outer * n * inner or out.size != outer * inner or source.size > MOST:
        return False
    if not _has_loop(function, source, source, out) or source.dtype != out.dtype:
        return False
    out[...] = function.reduce(source.reshape(outer, n, inner), axis=1).reshape(out.shape)
    return True


def _has_loop(function: np.ufunc, *arrays: np.ndarray) -> bool:
    kinds = [a.dtype.char for a in arrays]
    return "O" not in kinds and all(a.dtype.isnative for a in arrays) \
        and f"{''.join(kinds[:-1])}->{kinds[-1]}" in function.types
