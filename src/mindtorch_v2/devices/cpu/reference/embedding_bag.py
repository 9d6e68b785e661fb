"""Rows of a table put together in bags."""
from __future__ import annotations

import numpy as np

Array = np.ndarray


def add_rows_to_bags(sums: Array, table: Array, indices: Array, bags: Array, scales: Array | None) -> None:
    """sums[bags[i]] += scales[i] * table[indices[i]], over rows; without scales, they are ones."""
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
