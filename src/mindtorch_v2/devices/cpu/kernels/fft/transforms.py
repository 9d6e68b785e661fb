"""Fourier transforms over all dimensions of an array but the first, each in the precision of its input.

They are SciPy's, which is imported when the first of them is called.
"""

from __future__ import annotations

import numpy as np

# SciPy's words for torch's numbers of how a transform is scaled: not at all, by one over the root of n, by one over n
FORWARD = ("backward", "ortho", "forward")
INVERSE = ("forward", "ortho", "backward")


def fft_c2c(out: np.ndarray, x: np.ndarray, normalization: int, forward: bool) -> None:
    """Complex numbers to complex numbers."""
    from scipy import fft
    axes = range(1, x.ndim)
    if out.size:
        out[...] = (fft.fftn(x, axes=axes, norm=FORWARD[normalization]) if forward
                    else fft.ifftn(x, axes=axes, norm=INVERSE[normalization]))


def fft_r2c(out: np.ndarray, x: np.ndarray, normalization: int, onesided: bool) -> None:
    """Real numbers to complex ones; one half of the last dimension mirrors the other and may be left out."""
    from scipy import fft
    transform = fft.rfftn if onesided else fft.fftn
    if out.size:
        out[...] = transform(x, axes=range(1, x.ndim), norm=FORWARD[normalization])


def fft_c2r(out: np.ndarray, x: np.ndarray, normalization: int) -> None:
    """One half of complex numbers that mirror each other to as many real numbers as the result has."""
    from scipy import fft
    if out.size:
        out[...] = fft.irfft(x, out.shape[-1], axis=-1, norm=INVERSE[normalization])


def fft_mirror(x: np.ndarray, dims: tuple[int, ...]) -> None:
    """Fill the second half of the last transformed dimension with the conjugates of what the first half says."""
    last, size = dims[-1], x.shape[dims[-1]]
    mirrored = x
    for dim in dims:
        mirrored = np.take(mirrored, -np.arange(x.shape[dim]), axis=dim)
    second_half = (slice(None),) * last + (slice(size // 2 + 1, size),)
    x[second_half] = mirrored[second_half].conj()
