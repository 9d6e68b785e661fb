"""The places of elements in order, within the rows of a contiguous array."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def first_places(order: Array, x: Array, rows: int, n: int, k: int, descending: bool) -> None:
    """order[i] = the places of the first k elements of the row x[i] in order; NaN is the largest."""
    x = x.reshape(rows, n)
    if descending:
        turned = np.argsort(x[:, ::-1], axis=1, kind="stable")
        places = (n - 1 - turned)[:, ::-1]
    else:
        places = np.argsort(x, axis=1, kind="stable")
    order.reshape(rows, k)[...] = places[:, :k]
