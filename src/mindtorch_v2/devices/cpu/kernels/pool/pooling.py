# cython: annotation_typing=False
"""Pooling on planes that lie in memory in any order: compiled loops want them one after the other, or channels last."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import pooling
from ...array_facts import is_compact
from ...layout import compact, transcribe

SMALL_WHOLE = 2  # bytes of whole numbers that are exact in float32
FLOATS = "fV"  # kinds of the types that compiled loops pool


def _lies_last(array: np.ndarray) -> bool:
    """Whether the channels of images lie last in memory."""
    return array.ndim > 3 and array.transpose(0, *range(2, array.ndim), 1).flags.c_contiguous


def _put_last(array: np.ndarray) -> np.ndarray:
    """The same values with the channels last in memory."""
    return array if _lies_last(array) else np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1)


def _in_any_order(kernel: Callable, outs: int, takes_last: bool = True) -> Callable:
    """The kernel on arrays that lie as it takes them; the first ``outs``, which it writes, are copied back."""
    def ordered(*args):
        given = [a for a in args if isinstance(a, np.ndarray)]
        if all([is_compact(a) for a in given]):
            return kernel(*args)
        goes_last = takes_last and pooling.TAKES_LAST and given[0].dtype.kind in FLOATS and _lies_last(given[0])
        turn = _put_last if goes_last else compact  # as what is written first lies
        ordered = [turn(a) if isinstance(a, np.ndarray) else a for a in args]
        answer = kernel(*ordered)
        for into, computed in zip(args[:outs], ordered):
            if into is not computed:
                transcribe(into, computed)
        return answer
    return ordered


_max_pool = _in_any_order(pooling.max_pool, 2)
max_pool_backward = _in_any_order(pooling.max_pool_backward, 1)
avg_pool = _in_any_order(pooling.avg_pool, 1)
avg_pool_backward = _in_any_order(pooling.avg_pool_backward, 1)
adaptive_max_pool = _in_any_order(pooling.adaptive_max_pool, 2)
adaptive_avg_pool = _in_any_order(pooling.adaptive_avg_pool, 1)
adaptive_avg_pool_backward = _in_any_order(pooling.adaptive_avg_pool_backward, 1)


def max_pool(out, indices, x, kernel, stride, padding, dilation) -> None:
    """The largest elements and their positions; whole numbers of one or two bytes are floats meanwhile."""
    if x.dtype.kind not in "iu" or x.itemsize > SMALL_WHOLE or max(dilation) > 1:  # else a window may be empty
        return _max_pool(out, indices, x, kernel, stride, padding, dilation)
    floats = np.empty_like(out, np.float32)
    _max_pool(floats, indices, x.astype(np.float32), kernel, stride, padding, dilation)
    out[...] = floats


def max_pool_values(out, x, kernel, stride, padding, dilation) -> None:
    """The largest elements alone; ``out`` may have a dimension of one in front."""
    max_pool(out.reshape(*x.shape[:-1], out.shape[-1]), None, x, kernel, stride, padding, dilation)


def fractional_max_pool(out, indices, x, samples, kernel, batch: int) -> None:
    """The largest elements of windows that begin where the samples of the first ``batch`` planes put them."""
    drawn = np.ascontiguousarray(samples[:batch])
    pooling.fractional_max_pool(out, indices, x, drawn, kernel)


_unpool = _in_any_order(pooling.max_unpool, 1, takes_last=False)


def max_unpool_checked(out, x, indices, rank: int) -> None:
    """Each element put where its index says; torch complains of one that is none of the plane."""
    bad = _unpool(out, x, indices, rank)
    if bad is not None:
        sizes = "x".join(map(str, out.shape[-rank:]))
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {sizes})")
