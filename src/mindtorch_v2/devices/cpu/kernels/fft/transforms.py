"""Fourier transforms over all dimensions of an array but the first, each in the precision of its input.

They are SciPy's, which is imported when the first of them is called.
"""

from __future__ import annotations

import numpy as np

from ... import pool

WORTH_THREADS = 1 << 19  # numbers from which several threads gain more than it costs to wake them


def _threads(x: np.ndarray) -> int:
    return pool.get_threads() if x.size >= WORTH_THREADS else 1


def _transforms():
    """The functions below SciPy's own, which write into an array that is given and take a number of threads."""
    from scipy.fft._pocketfft import pypocketfft
    return pypocketfft


def fft_c2c(out: np.ndarray, x: np.ndarray, normalization: int, forward: bool) -> None:
    """Complex numbers to complex numbers."""
    if out.size:
        _transforms().c2c(x, list(range(1, x.ndim)), forward, normalization, out, _threads(x))


def fft_r2c(out: np.ndarray, x: np.ndarray, normalization: int, onesided: bool) -> None:
    """Real numbers to complex ones; one half of the last dimension mirrors the other and may be left out."""
    transforms = _transforms()
    if out.size:
        transform = transforms.r2c if onesided else transforms.c2c
        transform(x, list(range(1, x.ndim)), True, normalization, out, _threads(x))


def fft_c2r(out: np.ndarray, x: np.ndarray, normalization: int) -> None:
    """One half of complex numbers that mirror each other to as many real numbers as the result has."""
    if out.size:
        _transforms().c2r(x, [x.ndim - 1], out.shape[-1], False, normalization, out, _threads(x))


def fft_mirror(x: np.ndarray, dims: tuple[int, ...]) -> None:
    """Fill the second half of the last transformed dimension with the conjugates of what the first half says."""
    last, size = dims[-1], x.shape[dims[-1]]
    mirrored = x
    for dim in dims:
        mirrored = np.take(mirrored, -np.arange(x.shape[dim]), axis=dim)
    second_half = (slice(None),) * last + (slice(size // 2 + 1, size),)
    x[second_half] = mirrored[second_half].conj()
