"""Sobol's sequences: points that fill a cube evenly, one exclusive or after the other."""

from __future__ import annotations

import numpy as np


def sobol_directions(state: np.ndarray) -> None:
    """The direction numbers of each dimension as odd numbers, Joe and Kuo's; SciPy has a table of them."""
    from scipy.stats import qmc  # loaded by those who draw such points alone
    dims, bits = state.shape
    state[...] = qmc.Sobol(dims, scramble=False, bits=bits)._sv
    state >>= np.arange(bits - 1, -1, -1)


def sobol_scramble(state: np.ndarray, rows: np.ndarray) -> None:
    """Direction numbers by a matrix of bits for each dimension, whose rows are given as numbers."""
    places = np.arange(state.shape[1] - 1, -1, -1)
    numbers, masks = [(values[:, :, None] >> places) & 1 for values in (state, rows)]
    state[...] = (np.einsum("dpk,djk->djp", masks, numbers) % 2 << places).sum(-1)


def sobol_draw(points: np.ndarray, last: np.ndarray, state: np.ndarray, n_generated: int) -> None:
    """The points after ``last``, which becomes the last of them, as whole numbers."""
    for i in range(len(points)):
        sobol_advance(last, state, 1, n_generated + i)
        points[i] = last


def sobol_advance(last: np.ndarray, state: np.ndarray, n: int, n_generated: int) -> None:
    """Go on by some points."""
    for number in range(n_generated, n_generated + n):
        last ^= state[:, _lowest_zero(number)]


def _lowest_zero(number: int) -> int:
    """The place of the lowest bit that is zero."""
    return (~number & (number + 1)).bit_length() - 1
