"""The exponential of matrices."""

from __future__ import annotations

import math

import numpy as np

from ...errstate import silent
from ...layout import compact
from .matmul import products

# By the bytes of a real number: the powers that are multiplied up, how many of the polynomial's parts begin with the
# highest of them, and the norm up to which what the polynomial leaves out is less than a rounding.
POLYNOMIALS = {4: (3, 4, 0.8), 8: (4, 5, 0.75)}
MOST_SQUARINGS = 2100  # of a matrix as large as numbers can be


@silent
def matrix_exp(out: np.ndarray, input: np.ndarray) -> None:
    """By scaling, a Taylor polynomial in powers of the matrix, and squaring."""
    if not input.size:
        return
    x = compact(input).reshape(-1, *input.shape[-2:])
    count, parts, reach = POLYNOMIALS[x.real.itemsize]
    norms = np.abs(x).sum(-2).max(-1).astype(np.float64)
    squarings = np.ceil(np.log2(norms / reach)).clip(0, MOST_SQUARINGS)
    squarings = np.where(np.isfinite(squarings), squarings, 0).astype(np.int64)
    scales = np.ldexp(1.0, -squarings).astype(x.real.dtype)
    result = _polynomial(x * scales[:, None, None], count, parts)
    for step in range(squarings.max()):
        active = squarings > step
        result[active] = _product(result[active], result[active])
    out[...] = result.reshape(out.shape)


def _polynomial(x: np.ndarray, count: int, parts: int) -> np.ndarray:
    """The first terms of the series: so many parts, each of so many powers of x, put together from the highest on."""
    powers = [np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape), x]
    while len(powers) <= count:
        powers.append(_product(powers[-1], x))
    total = None
    for part in reversed(range(parts)):
        terms = [powers[i] * x.real.dtype.type(1 / math.factorial(part * count + i)) for i in range(count)]
        if total is not None:
            terms.append(_product(total, powers[count]))
        total = sum(terms[1:], terms[0])
    return total


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    out = np.empty(a.shape, a.dtype)
    products(out, a, b)
    return out
