# cython: annotation_typing=False
"""Products of matrices and of batches of matrices, by BLAS where it knows the type."""

from __future__ import annotations

import numpy as np

from ... import pointwise
from ...errstate import hush, silent, speak

LARGE = 32**3  # products of numbers from which BLAS is worth two casts
EXACT = 2**53  # whole numbers up to here are float64s
BLAS_TYPES = frozenset(map(np.dtype, "fdFD"))
MULTIPLIED = BLAS_TYPES | frozenset(map(np.dtype, "bBhHiIlL"))  # in their own type; the others, halves, in float32


def product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """a @ b of two matrices; half precision is computed in float32 and rounded once."""
    before = hush()
    try:
        if out.dtype.kind in "iu" and is_exact_in_float64(a, b):
            np.copyto(out, a.astype(np.float64) @ b.astype(np.float64), casting="unsafe")
        elif out.dtype in MULTIPLIED:
            a.dot(b, out)
        else:
            np.copyto(out, _terms(a, b), casting="unsafe")
    except ValueError:  # dot() writes into arrays in C order alone
        np.matmul(a, b, out)
    finally:
        speak(before)


def is_exact_in_float64(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether BLAS gives the product of whole numbers to the last one: no sum has more digits than a float64."""
    if a.size * b.shape[-1] < LARGE or not b.size:
        return False
    largest = [max(abs(int(array.max())), abs(int(array.min()))) for array in (a, b)]
    return largest[0] * largest[1] * a.shape[-1] < EXACT


@silent
def products(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The same of two batches of matrices."""
    if out.dtype in MULTIPLIED:
        np.matmul(a, b, out)
    else:
        np.copyto(out, _terms(a, b), casting="unsafe")


def add_product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """out + a @ b of matrices, or of batches of them."""
    before = hush()
    try:
        if out.dtype in BLAS_TYPES and out.flags.c_contiguous:
            pointwise.add(out, out, _terms(a, b))
        else:
            _accumulate(out, a, b, 1, 1)
    finally:
        speak(before)


@silent
def add_scaled_product(out: np.ndarray, a: np.ndarray, b: np.ndarray, beta, alpha) -> None:
    """beta * out + alpha * (a @ b); with a beta of zero, what is there is not looked at."""
    _accumulate(out, a, b, beta, alpha)


def _terms(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype not in MULTIPLIED:
        a, b = a.astype(np.float32), b.astype(np.float32)
    return a.dot(b) if a.ndim == 2 else np.matmul(a, b)


def _accumulate(out: np.ndarray, a: np.ndarray, b: np.ndarray, beta, alpha) -> None:
    terms = _terms(a, b)
    if alpha != 1:
        terms *= alpha
    if beta == 0:
        np.copyto(out, terms, casting="unsafe")
    elif out.dtype not in MULTIPLIED:
        np.copyto(out, out.astype(np.float32) * np.float32(beta) + terms, casting="unsafe")
    else:
        if beta != 1:
            out *= beta
        out += terms


def conj_physical(out: np.ndarray, source: np.ndarray) -> None:
    """The complex conjugate."""
    np.conjugate(source, out)
