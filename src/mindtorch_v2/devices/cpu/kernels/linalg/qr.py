"""Householder reflections: found in matrices, and multiplied up."""

from __future__ import annotations

import numpy as np

from ...errstate import silent


@silent
def geqrf(factors: np.ndarray, tau: np.ndarray) -> None:
    """Matrices as a triangle on and above the diagonal, and reflections below it with their factors ``tau``."""
    reflections, tau[...] = np.linalg.qr(factors, mode="raw")
    factors[...] = reflections.swapaxes(-2, -1)


@silent
def orgqr(q: np.ndarray, tau: np.ndarray) -> None:
    """The product of reflections, in the place of the columns that hold them."""
    rows, columns = q.shape[-2:]
    product = np.zeros_like(q)
    product[..., range(columns), range(columns)] = 1
    for i in reversed(range(tau.shape[-1])):
        vector = np.concatenate([np.ones_like(q[..., :1, i]), q[..., i + 1:, i]], axis=-1)[..., None]
        below = product[..., i:, :]
        below -= tau[..., i, None, None] * vector * (vector.conj().swapaxes(-2, -1) @ below)
    q[...] = product
