"""Rows of a table put together in bags."""
from __future__ import annotations

import numpy as np

Array = np.ndarray


def sum_of_bags(out: Array, table: Array, indices: Array, bounds: Array, scales: Array | None) -> None:
    """out[b] = the sum of scales[i] * table[indices[i]] over i from bounds[b] to bounds[b + 1]; halves are added up in
    float32, and their scales are floats. Without scales, they are ones."""
    if (np.diff(bounds, prepend=0, append=len(indices)) < 0).any():
        raise IndexError("bags that end before they begin, or behind the last index")
    if ((indices < 0) | (indices >= len(table))).any():
        raise IndexError("an index that is none of a row")
    kind = np.float64 if out.dtype == np.float64 else np.float32
    for bag, (begin, end) in enumerate(zip(bounds[:-1], bounds[1:])):
        rows = table[indices[begin:end]].astype(kind)
        out[bag] = (rows if scales is None else scales[begin:end, None] * rows).sum(axis=0)


def add_rows_to_bags(sums: Array, table: Array, indices: Array, bags: Array, scales: Array | None) -> None:
    """sums[bags[i]] += scales[i] * table[indices[i]], over rows; without scales, they are ones. Halves are rounded each
    time."""
    rows = table[indices]
    np.add.at(sums, bags, rows if scales is None else scales[:, None] * rows)


def largest_of_bags(largest: Array, where: Array, table: Array, indices: Array, named: Array, bags: Array) -> None:
    """The largest element of each column in a bag of rows, and the name of its row; zeros stay where a bag is empty."""
    begun = np.zeros(len(largest), bool)
    for index, name, bag in zip(indices, named, bags):
        better = (table[index] > largest[bag]) | ~begun[bag]
        begun[bag] = True
        largest[bag, better] = table[index, better]
        where[bag, better] = name
