"""Arithmetic, comparison and choice on arrays of any layout, broadcast to their result."""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray


@halves_in_float32(outs=1)
def add(out: Array, a: Array, b: Array, alpha: float = 1) -> None:
    """a + alpha * b."""
    np.add(a, b if alpha == 1 else b * a.dtype.type(alpha), out=out)


@halves_in_float32(outs=1)
def sub(out: Array, a: Array, b: Array, alpha: float = 1) -> None:
    """a - alpha * b."""
    np.subtract(a, b if alpha == 1 else b * a.dtype.type(alpha), out=out)


@halves_in_float32(outs=1)
def mul(out: Array, a: Array, b: Array) -> None:
    """a * b."""
    with np.errstate(invalid="ignore"):
        np.multiply(a, b, out=out)


@halves_in_float32(outs=1)
def div(out: Array, a: Array, b: Array) -> None:
    """a / b."""
    with np.errstate(divide="ignore", invalid="ignore"):
        np.true_divide(a, b, out=out)


@halves_in_float32(outs=1)
def truncated_quotient(out: Array, a: Array, b: Array) -> None:
    """a / b towards zero; integers by zero are zero."""
    with np.errstate(all="ignore"):
        if a.dtype.kind not in "iu":
            np.trunc(np.true_divide(a, b), out=out)
            return
        quotient = np.floor_divide(a, b)
        # towards zero: one more where a rest was left between different signs
        np.add(quotient, ((a < 0) != (b < 0)) & (quotient * b != a) & (b != 0), out=out, dtype=a.dtype)


def logical_and(out: Array, a: Array, b: Array) -> None:
    """Whether both are true."""
    np.logical_and(a, b, out=out)


def logical_or(out: Array, a: Array, b: Array) -> None:
    """Whether either is true."""
    np.logical_or(a, b, out=out)


def logical_xor(out: Array, a: Array, b: Array) -> None:
    """Whether one of the two is true."""
    np.logical_xor(a, b, out=out)


def eq(out: Array, a: Array, b: Array) -> None:
    """a == b."""
    np.equal(a, b, out=out)


def ne(out: Array, a: Array, b: Array) -> None:
    """a != b."""
    np.not_equal(a, b, out=out)


def lt(out: Array, a: Array, b: Array) -> None:
    """a < b."""
    np.less(a, b, out=out)


def le(out: Array, a: Array, b: Array) -> None:
    """a <= b."""
    np.less_equal(a, b, out=out)


def gt(out: Array, a: Array, b: Array) -> None:
    """a > b."""
    np.greater(a, b, out=out)


def ge(out: Array, a: Array, b: Array) -> None:
    """a >= b."""
    np.greater_equal(a, b, out=out)


@halves_in_float32(outs=1)
def clamp(out: Array, a: Array, lo: float | None, hi: float | None) -> None:
    """a held between lo and hi (None: no bound); NaN stays, and hi wins where the two cross."""
    if lo is not None:
        a = np.maximum(a, a.dtype.type(lo))
    if hi is not None:
        a = np.minimum(a, a.dtype.type(hi))
    out[...] = a


def clamp_between(out: Array, a: Array, lo: Array, hi: Array) -> None:
    """a held between the elements of two arrays; a NaN among the three stays, and hi wins where the two cross."""
    out[...] = np.minimum(np.maximum(a, lo), hi)


def clamp_min(out: Array, a: Array, lo: float) -> None:
    """a, or lo where that is larger; NaN stays."""
    clamp(out, a, lo, None)


def clamp_max(out: Array, a: Array, hi: float) -> None:
    """a, or hi where that is smaller; NaN stays."""
    clamp(out, a, None, hi)


def where(out: Array, condition: Array, a: Array, b: Array) -> None:
    """a where the condition holds, else b; either may be a 0-d array."""
    if b is out:  # what is kept is not written: elements may lie in one place
        np.copyto(out, a, where=condition)
    else:
        out[...] = np.where(condition, a, b)


def copy(out: Array, a: Array) -> None:
    """The values of an array of the same type, broadcast to the result."""
    np.copyto(out, a)
