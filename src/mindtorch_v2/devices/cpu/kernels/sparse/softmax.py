"""softmax over the elements of sparse tensors that share all coordinates but one."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _groups(indices: Array, sizes: tuple[int, ...], dim: int) -> tuple[Array, int]:
    """The group of each element, and how many there are."""
    flat = np.zeros(indices.shape[1], np.int64)
    for d, (row, size) in enumerate(zip(indices, sizes)):
        if d != dim:
            flat = flat * size + row
    names, groups = np.unique(flat, return_inverse=True)
    return groups, len(names)


def _sums(values: Array, groups: Array, count: int) -> Array:
    sums = np.zeros((count, *values.shape[1:]), values.dtype)
    np.add.at(sums, groups, values)
    return sums


def sparse_softmax(out: Array, indices: Array, values: Array, sizes: tuple[int, ...], dim: int, is_log: bool) -> None:
    """softmax, or its logarithm, within groups."""
    groups, count = _groups(indices, sizes, dim)
    largest = np.full((count, *values.shape[1:]), -np.inf, values.dtype)
    np.maximum.at(largest, groups, values)
    shifted = values - largest[groups]
    powers = np.exp(shifted)
    sums = _sums(powers, groups, count)[groups]
    out[...] = shifted - np.log(sums) if is_log else powers / sums


def sparse_softmax_backward(out: Array, indices: Array, result: Array, grads: Array, sizes: tuple[int, ...], dim: int,
                            is_log: bool) -> None:
    """The derivative of either."""
    groups, count = _groups(indices, sizes, dim)
    if is_log:
        out[...] = grads - np.exp(result) * _sums(grads, groups, count)[groups]
    else:
        out[...] = result * (grads - _sums(result * grads, groups, count)[groups])
