"""Arrays (planes, d, h, w) with borders that show elements of them, and gradients of those added back."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
Shown = tuple[Array, Array, Array]  # for each place of a padded dimension, the element that it shows


def show_places(out: Array, x: Array, shown: Shown) -> None:
    """out[p, i, j, k] = x[p, shown[0][i], shown[1][j], shown[2][k]]."""
    out[...] = x[:, *np.ix_(*shown)]


def add_places(grad_x: Array, grad: Array, shown: Shown) -> None:
    """grad_x[p, shown[0][i], shown[1][j], shown[2][k]] += grad[p, i, j, k]; it comes zero-filled."""
    index = np.ix_(*shown)
    for plane, total in zip(grad, grad_x):  # in the order of the places, as torch adds: in half precision it shows
        np.add.at(total, index, plane)
