# cython: annotation_typing=False
"""Pooling on planes that lie in memory in any order: compiled loops want them one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import pooling
from ...array_facts import is_compact


def _in_any_order(kernel: Callable, outs: int) -> Callable:
    """The kernel on arrays in C order; the first ``outs``, which it writes or adds to, are copied back."""
    def ordered(*args):
        given = [a for a in args if isinstance(a, np.ndarray)]
        if all([is_compact(a) for a in given]):
            return kernel(*args)
        compact = [np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in args]
        answer = kernel(*compact)
        for into, computed in zip(args[:outs], compact):
            if into is not computed:
                into[...] = computed
        return answer
    return ordered


max_pool = _in_any_order(pooling.max_pool, 2)
max_pool_backward = _in_any_order(pooling.max_pool_backward, 1)
avg_pool = _in_any_order(pooling.avg_pool, 1)
avg_pool_backward = _in_any_order(pooling.avg_pool_backward, 1)
adaptive_max_pool = _in_any_order(pooling.adaptive_max_pool, 2)
adaptive_avg_pool = _in_any_order(pooling.adaptive_avg_pool, 1)
adaptive_avg_pool_backward = _in_any_order(pooling.adaptive_avg_pool_backward, 1)


def max_pool_values(out, x, kernel, stride, padding, dilation) -> None:
    """The largest elements alone; ``out`` may have a dimension of one in front."""
    out = out.reshape(*x.shape[:-1], out.shape[-1])
    max_pool(out, np.empty(out.shape, np.int64), x, kernel, stride, padding, dilation)


def fractional_max_pool(out, indices, x, samples, kernel, batch: int) -> None:
    """The largest elements of windows that begin where the samples of the first ``batch`` planes put them."""
    drawn = np.ascontiguousarray(samples[:batch])
    pooling.fractional_max_pool(out, indices, x, drawn, kernel)


_unpool = _in_any_order(pooling.max_unpool, 1)


def max_unpool_checked(out, x, indices, rank: int) -> None:
    """Each element put where its index says; torch complains of one that is none of the plane."""
    bad = _unpool(out, x, indices, rank)
    if bad is not None:
        sizes = "x".join(map(str, out.shape[-rank:]))
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {sizes})")
