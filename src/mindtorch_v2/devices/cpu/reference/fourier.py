"""Fourier transforms along the middle one of three dimensions, by NumPy's."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def takes(n: int, lines: int, single: bool) -> bool:
    """Whether lines of this length are transformed here: where nothing is compiled, SciPy is as quick."""
    return False


def complex_lines(out: Array, x: Array, scale: float, forward: bool) -> None:
    """Complex numbers to complex numbers along dimension 1; the result may be the input."""
    transform = np.fft.fft if forward else np.fft.ifft
    out[...] = transform(x, axis=1, norm="backward" if forward else "forward") * scale


def real_lines(out: Array, x: Array, scale: float) -> None:
    """Real numbers to complex ones: the half that says all, or, where the result is as long, the other half, too."""
    is_whole = out.shape[1] == x.shape[1] > 2
    out[...] = (np.fft.fft if is_whole else np.fft.rfft)(x, axis=1) * scale


def lines_to_real(out: Array, x: Array, scale: float) -> None:
    """One half of complex numbers that mirror each other to as many real numbers as the result has."""
    out[...] = np.fft.irfft(x, out.shape[1], axis=1, norm="forward") * scale
