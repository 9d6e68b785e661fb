"""Numbers in a row, in plain NumPy."""

from __future__ import annotations

import functools
import math

import numpy as np

from .boxmuller import libm
from .fused import fma_f32, fma_f64

VECTOR_BYTES = 32  # torch computes floating-point ranges in vectors of so many bytes


def arange(out: np.ndarray, start: float, step: float) -> None:
    """start, start + step, …, each computed on its own and not summed up."""
    if out.dtype.kind in "iu":
        out.flat = np.arange(out.size, dtype=np.int64) * int(step) + int(start)
        return
    # torch rounds at the head of each vector, and computes what does not fill two of those one by one.
    at, lanes = np.arange(out.size, dtype=np.float64), VECTOR_BYTES // out.itemsize
    values = fma_f64(at, float(step), float(start)).astype(out.dtype)
    whole = out.size - out.size % (2 * lanes)
    if whole:
        heads = values[:whole:lanes].astype(np.float64)
        values[:whole] = fma_f64(at[:lanes], float(step), heads[:, None]).astype(out.dtype).reshape(-1)
    out.flat = values


def linspace(out: np.ndarray, start: float, end: float) -> None:
    """Evenly spaced numbers, counted from both ends so that both are met exactly."""
    np.copyto(out, _between(start, end, out.size, out.dtype).reshape(out.shape), casting="unsafe")


def _between(start, end, steps: int, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "c":
        part = np.empty(0, dtype).real.dtype
        real, imaginary = (_between(getattr(complex(start), name), getattr(complex(end), name), steps, part)
                           for name in ("real", "imag"))
        return (real + 1j * imaginary).astype(dtype)
    kind = np.float64 if dtype.kind in "iub" else dtype.type
    fused = {np.float64: fma_f64, np.float32: fma_f32}.get(kind, _rounded_twice)
    start, end = kind(float(start)), kind(float(end))
    step = (end - start) / kind(steps - 1)
    at = np.arange(steps)
    low, high = at[:steps // 2].astype(kind), (steps - 1 - at[steps // 2:]).astype(kind)
    return np.concatenate([fused(low, step, start), fused(high, -step, end)])


def _rounded_twice(a, b, c):
    """a * b + c in 16 bits, which no processor fuses."""
    return a * b + c


def powers(out: np.ndarray, base: float, exponents: np.ndarray) -> None:
    """A number to the power of others, all in double precision."""
    out.flat = libm(functools.partial(math.pow, base), exponents).reshape(-1)


def triangle_positions(out: np.ndarray, rows: int, columns: int, offset: int, lower: bool) -> None:
    """The rows, then the columns, of the elements on a diagonal and below, or above, it."""
    out[...] = np.reshape((np.tril_indices if lower else np.triu_indices)(rows, offset, columns), out.shape)
