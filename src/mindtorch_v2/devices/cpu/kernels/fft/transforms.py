# cython: annotation_typing=False
"""Fourier transforms over all dimensions of an array but the first, each in the precision of its input.

Many lines of a length with small factors are transformed by loops of our own. All others are left to SciPy's functions,
which are imported when the first of them is called.
"""

from __future__ import annotations

import math

import numpy as np

from ... import fourier, pool

WORTH_THREADS = 1 << 19  # numbers from which several threads gain more than it costs to wake them


def _threads(x: np.ndarray) -> int:
    return pool.get_threads() if x.size >= WORTH_THREADS else 1


def _transforms():
    """The functions below SciPy's own, which write into an array that is given and take a number of threads."""
    from scipy.fft._pocketfft import pypocketfft
    return pypocketfft


def _scale(normalization: int, sizes: tuple[int, ...]) -> float:
    """What transforms over dimensions of these sizes are multiplied by."""
    count = math.prod(sizes)
    return (1, 1 / math.sqrt(count), 1 / count)[normalization]


def _takes(x: np.ndarray, sizes: tuple[int, ...]) -> bool:
    """Whether loops of our own serve all of the transformed dimensions, which have these sizes."""
    single = x.dtype.char in "fF"
    count = len(x) * math.prod(sizes)
    return (x.dtype.char in "fFdD" and (x.ndim == 2 or x.flags.c_contiguous) and x.flags.aligned
            and all([fourier.takes(n, count // n, single) for n in sizes]))


def _lines(array: np.ndarray, dim: int) -> np.ndarray:
    """A view of three dimensions with one dimension of an array in the middle."""
    shape = array.shape
    if array.ndim == 2:
        return array[:, :, None]
    return array.reshape(math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1:]))


def _transform_others(out: np.ndarray, forward: bool) -> None:
    """All but the first and the last dimension, in their place."""
    for dim in range(out.ndim - 2, 0, -1):
        lines = _lines(out, dim)
        fourier.complex_lines(lines, lines, 1, forward)


def fft_c2c(out: np.ndarray, x: np.ndarray, normalization: int, forward: bool) -> None:
    """Complex numbers to complex numbers."""
    if _takes(x, x.shape[1:]):
        last = x.ndim - 1
        fourier.complex_lines(_lines(out, last), _lines(x, last), _scale(normalization, x.shape[1:]), forward)
        _transform_others(out, forward)
    elif out.size:
        _transforms().c2c(x, list(range(1, x.ndim)), forward, normalization, out, _threads(x))


def fft_r2c(out: np.ndarray, x: np.ndarray, normalization: int, onesided: bool) -> None:
    """Real numbers to complex ones; one half of the last dimension mirrors the other and may be left out."""
    if _takes(x, x.shape[1:]):
        last = x.ndim - 1
        fourier.real_lines(_lines(out, last), _lines(x, last), _scale(normalization, x.shape[1:]))
        _transform_others(out, True)
    elif out.size:
        transform = _transforms().r2c if onesided else _transforms().c2c
        transform(x, list(range(1, x.ndim)), True, normalization, out, _threads(x))


def fft_c2r(out: np.ndarray, x: np.ndarray, normalization: int) -> None:
    """One half of complex numbers that mirror each other to as many real numbers as the result has."""
    if _takes(x, out.shape[-1:]):
        fourier.lines_to_real(_lines(out, 1), _lines(x, 1), _scale(normalization, out.shape[1:]))
    elif out.size:
        _transforms().c2r(x, [x.ndim - 1], out.shape[-1], False, normalization, out, _threads(x))


def fft_mirror(x: np.ndarray, dims: tuple[int, ...]) -> None:
    """Fill the second half of the last transformed dimension with the conjugates of what the first half says."""
    last, size = dims[-1], x.shape[dims[-1]]
    mirrored = x
    for dim in dims:
        mirrored = np.take(mirrored, -np.arange(x.shape[dim]), axis=dim)
    second_half = (slice(None),) * last + (slice(size // 2 + 1, size),)
    x[second_half] = mirrored[second_half].conj()
