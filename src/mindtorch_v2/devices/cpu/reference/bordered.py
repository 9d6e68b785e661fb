"""Arrays (planes, d, h, w) with borders that show elements of them, and gradients of those added back.

For each place of a padded dimension, ``d``, ``h`` and ``w`` name the element that it shows.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def show_places(out: Array, x: Array, d: Array, h: Array, w: Array) -> None:
    """out[p, i, j, k] = x[p, d[i], h[j], w[k]]."""
    out[...] = x[:, *np.ix_(d, h, w)]


def add_places(grad_x: Array, grad: Array, d: Array, h: Array, w: Array) -> None:
    """grad_x[p, d[i], h[j], w[k]] += grad[p, i, j, k]; it comes zero-filled."""
    index = np.ix_(d, h, w)
    for plane, total in zip(grad, grad_x):  # in the order of the places, as torch adds: in half precision it shows
        np.add.at(total, index, plane)
