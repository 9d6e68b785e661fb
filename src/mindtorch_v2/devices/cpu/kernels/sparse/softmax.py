"""softmax over the elements of sparse tensors that share all coordinates but one."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _groups(indices: Array, sizes: tuple[int, ...], dim: int) -> tuple[Array | None, Array, Array]:
    """Elements in the order of their groups (None where they are in it), where each begins, and how long it is."""
    flat = np.zeros(indices.shape[1], np.int64)
    for d, (row, size) in enumerate(zip(indices, sizes)):
        if d != dim:
            flat = flat * size + row
    order = None
    if (flat[1:] < flat[:-1]).any():
        order = np.argsort(flat, kind="stable")
        flat = flat[order]
    begins = np.flatnonzero(np.concatenate([np.ones(min(len(flat), 1), bool), flat[1:] != flat[:-1]]))
    return order, begins, np.diff(begins, append=len(flat))


def _reduced(work: np.ufunc, values: Array, begins: Array, counts: Array) -> Array:
    """What each group comes to, at each of its elements; numbers that stand alone as one row, which is far quicker."""
    flat = values.reshape(-1) if values.size == len(values) else values
    return np.repeat(work.reduceat(flat, begins), counts, axis=0).reshape(values.shape)


def _in_order(values: Array, order: Array | None) -> Array:
    return values if order is None else values[order]


def _store(out: Array, values: Array, order: Array | None) -> None:
    if order is None:
        out[...] = values
    else:
        out[order] = values


def sparse_softmax(out: Array, indices: Array, values: Array, sizes: tuple[int, ...], dim: int, is_log: bool) -> None:
    """softmax, or its logarithm, within groups."""
    order, begins, counts = _groups(indices, sizes, dim)
    if not len(begins):
        return
    values = _in_order(values, order)
    shifted = values - _reduced(np.maximum, values, begins, counts)
    powers = np.exp(shifted)
    sums = _reduced(np.add, powers, begins, counts)
    _store(out, shifted - np.log(sums) if is_log else powers / sums, order)


def sparse_softmax_backward(out: Array, indices: Array, result: Array, grads: Array, sizes: tuple[int, ...], dim: int,
                            is_log: bool) -> None:
    """The derivative of either."""
    order, begins, counts = _groups(indices, sizes, dim)
    if not len(begins):
        return
    result, grads = _in_order(result, order), _in_order(grads, order)
    sums = _reduced(np.add, grads if is_log else result * grads, begins, counts)
    _store(out, grads - np.exp(result) * sums if is_log else result * (grads - sums), order)
