"""What NumPy's own loops make of a few numbers, by its calls."""

from __future__ import annotations

import numpy as np

from ..half_precision import widened

MOST = 32_768  # elements


def run_numpy_loop(function: np.ufunc, out: np.ndarray, first: np.ndarray, second: np.ndarray | None = None) -> bool:
    """Write what a ufunc makes of one or two arrays of one type, broadcast; False where it has to be called."""
    operands = [first] if second is None else [first, second]
    if function.nin != len(operands) or function.nout != 1 or not out.flags.writeable:
        return False
    if any(a.dtype != first.dtype for a in operands) or not _has_loop(function, *map(widened, (*operands, out))):
        return False
    try:
        fits = np.broadcast_shapes(out.shape, *[a.shape for a in operands]) == out.shape
    except ValueError:
        return False
    if fits:
        np.copyto(out, function(*map(widened, operands)), casting="unsafe")
    return fits


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
