# cython: annotation_typing=False
"""Bags of a table's rows: compiled loops on indices of any type and tables in any order."""

from __future__ import annotations

import numpy as np

from ... import embedding_bag, pointwise
from ...array_facts import is_half
from ...layout import compact
from .embedding import _places

Array = np.ndarray


def _row(index: Array) -> Array:
    """Indices as the loops read them."""
    return np.ascontiguousarray(_places(index))


def ends(offsets: Array) -> tuple[int, int]:
    """The first and the last offset."""
    return int(offsets[0]), int(offsets[-1])


def list_bags(listed: Array, sizes: Array, offsets: Array) -> bool:
    """The bag of each index, and the size of each bag; False, and nothing is written, where offsets do not rise."""
    ends_ = np.append(offsets[1:sizes.size], listed.size)
    counts = ends_ - offsets[:sizes.size]
    if counts.min(initial=0) < 0 or offsets[0] != 0:
        return False
    sizes[...] = counts
    listed[...] = np.repeat(np.arange(sizes.size), counts)
    return True


def divide_bags(output: Array, sizes: Array) -> None:
    """Each bag over its size, or over one if it is empty."""
    pointwise.div(output, output, np.maximum(sizes, 1).astype(output.dtype)[:, None])


def _rows(weight: Array, index: Array) -> tuple[Array, Array]:
    """A table whose rows lie in order, and the indices into it; of half precision only the rows that are wanted."""
    if is_half(weight):
        return weight[index].astype(np.float32), np.arange(index.size)
    return np.ascontiguousarray(weight), index


def _check_index(index: Array, rows: int) -> None:
    bad = index[(index < 0) | (index >= rows)]
    if bad.size:
        raise RuntimeError(f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {bad[0]}")


def _add_up(output: Array, weight: Array, index: Array, bags: Array, scales: Array | None, padding: int) -> None:
    """Each bag's rows, added up in single precision at least and rounded once."""
    kept = index != padding
    if not kept.all():
        index, bags, scales = index[kept], bags[kept], None if scales is None else scales[kept]
    table, index = _rows(weight, index)
    sums = output if output.dtype is table.dtype and output.flags.c_contiguous else np.empty(output.shape, table.dtype)
    sums.fill(0)
    if scales is not None:
        scales = np.ascontiguousarray(scales, table.dtype)
    embedding_bag.add_rows_to_bags(sums, table, index, np.ascontiguousarray(bags, np.int64), scales)
    if sums is not output:
        output[...] = sums


def embedding_bag_direct(output: Array, weight: Array, indices: Array, offsets: Array, scales: Array | None,
                         include_last: bool) -> None:
    """Bags whose rows lie between offsets."""
    index, bounds = _row(indices), _row(offsets)
    if include_last:
        index = index[:bounds[-1]]
    else:
        begins, bounds = bounds, np.empty(bounds.size + 1, np.int64)
        bounds[:-1], bounds[-1] = begins, index.size
    sums = compact(output)
    scales = None if scales is None else compact(scales[:index.size])  # rows behind the last bag are in none
    try:
        embedding_bag.sum_of_bags(sums, compact(weight), index, bounds, scales)
    except IndexError:
        _complain(index, bounds, weight.shape[0])
        raise
    if sums is not output:
        output[...] = sums


def _complain(index: Array, bounds: Array, rows: int) -> None:
    """torch's words about bags that cannot be, or about rows that are not there."""
    if (np.diff(bounds) < 0).any() or bounds[-1] > index.size:
        raise RuntimeError("Expected i < index_size to be true, but got false.  (Could this error message be "
                           "improved?  If so, please report an enhancement request to PyTorch.)")
    bad = np.flatnonzero((index < 0) | (index >= rows))
    raise RuntimeError(f"Index {bad[0]} of input takes value {index[bad[0]]} which is not in the valid range "
                       f"[0, {rows})")


def embedding_bag_sum(output: Array, bag_size: Array, weight: Array, indices: Array, bags: Array,
                      scales: Array | None, padding_idx: int) -> None:
    """Bags by a list of which index belongs to which; what is padding does not count."""
    index = _row(indices)
    _check_index(index, weight.shape[0])
    np.subtract.at(bag_size, bags[index == padding_idx], 1)
    _add_up(output, weight, index, bags, scales, padding_idx)


def embedding_bag_max(output: Array, max_indices: Array, bag_size: Array, weight: Array, indices: Array, bags: Array,
                      padding_idx: int) -> None:
    """The largest elements of each bag's rows and the rows they are in; zeros for an empty bag."""
    index = _row(indices)
    _check_index(index, weight.shape[0])
    np.subtract.at(bag_size, bags[index == padding_idx], 1)
    kept = index != padding_idx
    index, bags = index[kept], np.ascontiguousarray(bags[kept], np.int64)
    table, rows = _rows(weight, index)
    largest, where = np.zeros(output.shape, table.dtype), np.zeros(max_indices.shape, np.int64)
    embedding_bag.largest_of_bags(largest, where, table, rows, index, bags)
    output[...], max_indices[...] = largest, where


def embedding_bag_dense_backward(grad_weight: Array, grad: Array, ranked: Array, bags: Array, bag_size: Array | None,
                                 scales: Array | None, scale_grad_by_freq: bool, padding_idx: int) -> None:
    """Each bag's gradient added to its rows, which come sorted; the table's gradient comes as zeros."""
    index = _row(ranked)
    share = np.ones(index.size) if scales is None else scales.astype(np.float64)
    if scale_grad_by_freq:
        share /= _frequencies(index)
    kept = (index != padding_idx) & (bags < len(grad))  # what lies behind the last offset is in no bag
    if bag_size is not None:
        share[kept] /= np.where(bag_size == 0, 1, bag_size)[bags[kept]]
    index, bags, share = index[kept], np.ascontiguousarray(bags[kept], np.int64), share[kept].astype(grad.dtype)
    sums = grad_weight if grad_weight.flags.c_contiguous else np.zeros(grad_weight.shape, grad_weight.dtype)
    embedding_bag.add_rows_to_bags(sums, compact(grad), bags, index, share)
    if sums is not grad_weight:
        grad_weight[...] = sums


def _frequencies(ranked: Array) -> Array:
    """What torch divides by for each of the sorted indices: for the k-th distinct one, how often the k-th of all
    indices occurs."""
    _, order, counts = np.unique(ranked, return_inverse=True, return_counts=True)
    return counts[order[order]]


def embedding_bag_sample_grads(output: Array, grad: Array, weight: Array, indices: Array, bags: Array,
                               padding_idx: int) -> None:
    """The product of each row with its bag's gradient; zero where it is padding. ``output`` comes as zeros."""
    index = _row(indices)
    kept = (index != padding_idx) & (bags < len(grad))
    index, of = index[kept], bags[kept]
    _check_index(index, weight.shape[0])
    kind = np.float32 if is_half(grad) else grad.dtype
    output[kept] = np.einsum("ij,ij->i", grad[of].astype(kind), weight[index].astype(kind))
