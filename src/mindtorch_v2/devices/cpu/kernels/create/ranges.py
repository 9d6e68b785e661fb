"""Numbers in a row, rounded where torch rounds them."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ...reference.boxmuller import libm
from ...reference.fused import fma_f32, fma_f64

VECTOR_BYTES = 32  # torch computes floating-point ranges in vectors of so many bytes


def arange(out: np.ndarray, start, step) -> None:
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


def closed_range(out: np.ndarray, start, step) -> None:
    """start, start + step, … as torch.range computes them."""
    at = np.arange(out.size, dtype=np.int64 if out.dtype.kind in "iu" else np.float64)
    _store(out, at.dtype.type(start) + at * at.dtype.type(step))


def linspace(out: np.ndarray, start, end) -> None:
    """Evenly spaced numbers, counted from both ends so that both are met exactly."""
    _store(out, _between(start, end, out.size, out.dtype))


def _between(start, end, steps: int, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "c":
        part = np.empty(0, dtype).real.dtype
        real, imaginary = (_between(getattr(complex(start), name), getattr(complex(end), name), steps, part)
                           for name in ("real", "imag"))
        return (real + 1j * imaginary).astype(dtype)
    kind = np.float64 if dtype.kind in "iub" else dtype.type
    fused = {np.float64: fma_f64, np.float32: fma_f32}.get(kind, _rounded_twice)
    start, end = kind(start), kind(end)
    step = (end - start) / kind(steps - 1)
    at = np.arange(steps)
    low, high = at[:steps // 2].astype(kind), (steps - 1 - at[steps // 2:]).astype(kind)
    return np.concatenate([fused(low, step, start), fused(high, -step, end)])


def _rounded_twice(a, b, c):
    """a * b + c in 16 bits, which no processor fuses."""
    return a * b + c


def logspace(out: np.ndarray, start, end, base: float) -> None:
    """A base to the power of numbers evenly spaced in double, between ends that the result's type holds."""
    kind, steps = out.dtype.type, out.size
    wide = complex if out.dtype.kind == "c" else float
    start, end = wide(kind(start)), wide(kind(end))
    step = (end - start) / (steps - 1)
    at = np.arange(steps)
    exponents = np.where(at < steps // 2, start + step * at, end - step * (steps - 1 - at))
    _store(out, np.power(base, exponents) if wide is complex else libm(partial(math.pow, base), exponents))


def _store(out: np.ndarray, values: np.ndarray) -> None:
    np.copyto(out, values.reshape(out.shape), casting="unsafe")


def fill_diagonal_ones(out: np.ndarray) -> None:
    """Ones on the diagonal of a matrix."""
    size = min(out.shape)
    np.einsum("ii->i", out[:size, :size])[...] = 1
