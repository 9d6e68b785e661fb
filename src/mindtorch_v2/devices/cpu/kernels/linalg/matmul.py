# cython: annotation_typing=False
"""Products of matrices and of batches of matrices: floats by tiles, other numbers by BLAS or NumPy."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ... import matrices, vector_products, whole_products
from ...array_facts import is_wide
from ...errstate import hush, silent, speak
from ...half_precision import rewrite, widened
from ...layout import compact

LARGE = 32**3  # products of numbers from which tiles are worth two casts
WIDEST = 8  # bytes
EXACT = 2**53  # whole numbers up to here are float64s
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
MULTIPLIED = frozenset(map(np.dtype, "fdFDbBhHiIlL"))  # in their own type; the others, halves, in float32
REAL_PARTS = {np.dtype("F"): np.dtype("f"), np.dtype("D"): np.dtype("d")}
WORTH_SPREADING = 32, 1 << 16  # rows, and products of complex numbers, from which they are multiplied as real ones
FEW = 4  # rows of halves, each of which is multiplied by a matrix that is widened on the way


def product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """a @ b of two matrices; half precision is computed in float32 and rounded once."""
    if is_wide(out):
        matrices.multiply(out, a, b)
        return
    before = hush()
    try:
        if out.dtype.kind in "iu":
            _multiply_whole(out, a, b)
        elif _is_large_complex(out, a):
            _multiply_complex(out, a, b)
        elif out.dtype in MULTIPLIED:
            a.dot(b, out)
        else:
            rewrite(out, _terms(a, b))
    except ValueError:  # dot() writes into arrays in C order alone
        np.matmul(a, b, out)
    finally:
        speak(before)


def _multiply_whole(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Products of whole numbers; those of 64 bits, which are slow to multiply, as float64 where that is exact."""
    if out.dtype.itemsize == WIDEST and out.ndim == 2 and is_exact_in_float64(a, b):
        np.copyto(out, _terms(a.astype(np.float64), b.astype(np.float64)), casting="unsafe")
    elif out.flags.c_contiguous:
        whole_products.multiply_whole(out, np.ascontiguousarray(a), np.ascontiguousarray(b))
    else:
        np.matmul(a, b, out)


def is_exact_in_float64(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether float64 gives the product of whole numbers to the last one: no sum has more digits than a float64."""
    if a.size * b.shape[-1] < LARGE or not b.size:
        return False
    largest = [max(abs(int(array.max())), abs(int(array.min()))) for array in (a, b)]
    return largest[0] * largest[1] * a.shape[-1] < EXACT


@silent
def products(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The same of two batches of matrices."""
    if is_wide(out):
        matrices.multiply(out, a, b)
    elif out.dtype.kind in "iu" and a.ndim == b.ndim == 3 and len(a) == len(b):
        _multiply_whole(out, a, b)
    elif _is_large_complex(out, a):
        _multiply_complex(out, a, b)
    elif out.dtype in MULTIPLIED:
        np.matmul(a, b, out)
    else:
        rewrite(out, _terms(a, b))


def _is_large_complex(out: np.ndarray, a: np.ndarray) -> bool:
    """Whether complex numbers are worth being multiplied as real ones."""
    rows, products = WORTH_SPREADING
    return (out.dtype.kind == "c" and out.shape[-2] >= rows and out.shape[-1] > 1
            and out.shape[-2] * out.shape[-1] * a.shape[-1] >= products)


def _multiply_complex(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """a @ b of complex numbers by tiles of real ones.

    Read as real numbers, a row of a is re, im, re, im ...; so a number re + i im of b becomes two rows, (re, im) and
    (-im, re), and the product lies in the result as it should.
    """
    if out.strides[-1] != out.itemsize:
        if out.strides[-2] != out.itemsize:
            out[...] = _terms(a, b)
            return
        out, a, b = out.swapaxes(-1, -2), b.swapaxes(-1, -2), a.swapaxes(-1, -2)
    real = REAL_PARTS[out.dtype]
    if a.strides[-1] != a.itemsize:
        a = compact(a)
    rows = np.empty((*b.shape[:-2], 2 * b.shape[-2], 2 * b.shape[-1]), real)
    matrices.spread_complex(rows, compact(b))
    matrices.multiply(out.view(real), a.view(real), rows)


def add_product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """out + a @ b of matrices, or of batches of them."""
    if is_wide(out):
        matrices.multiply(out, a, b, True)
        return
    before = hush()
    try:
        _accumulate(out, a, b, 1, 1)
    finally:
        speak(before)


@silent
def add_scaled_product(out: np.ndarray, a: np.ndarray, b: np.ndarray, beta, alpha) -> None:
    """beta * out + alpha * (a @ b); with a beta of zero, what is there is not looked at."""
    _accumulate(out, a, b, beta, alpha)


def _terms(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    is_half = a.dtype not in MULTIPLIED
    if a.dtype.kind in "iu" and a.ndim == b.ndim and a.shape[:-2] == b.shape[:-2]:
        terms = np.empty((*a.shape[:-1], b.shape[-1]), a.dtype)
        _multiply_whole(terms, a, b)
        return terms
    shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
    terms = np.empty(shape, np.float32 if is_half else a.dtype)
    if is_half and a.ndim == 2 and a.shape[0] <= FEW:
        for row, into in zip(widened(compact(a)), terms):
            vector_products.half_rows_by_vector(into, b.T, row)
        return terms
    if not is_half and not is_wide(a):
        products(terms, a, b)
        return terms
    if is_half and not (a.dtype == BFLOAT16 and matrices.HAS_BFLOAT16):
        a, b = widened(a), widened(b)
    matrices.multiply(terms, a, b)
    return terms


def _accumulate(out: np.ndarray, a: np.ndarray, b: np.ndarray, beta, alpha) -> None:
    terms = _terms(a, b)
    if out.dtype.kind in "iu":
        beta, alpha = int(beta), int(alpha)
    if alpha != 1:
        terms *= alpha
    if beta == 0:
        rewrite(out, terms)
    elif out.dtype not in MULTIPLIED:
        wide = widened(out)
        if beta != 1:
            wide *= np.float32(beta)
        wide += terms
        rewrite(out, wide)
    else:
        if beta != 1:
            out *= beta
        out += terms


def conj_physical(out: np.ndarray, source: np.ndarray) -> None:
    """The complex conjugate."""
    if source.dtype == np.bool_:  # NumPy would count it as a number
        np.copyto(out, source)
    else:
        np.conjugate(source, out)
