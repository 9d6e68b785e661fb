"""Products of sparse matrices: of rows of floats by loops of our own, others by SciPy, which is imported for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import pick
from ...array_facts import is_wide
from ...half_precision import widened
from ...reference import sparse_rows as rows_of_any_type
from .compressed import OUTSIDE, check_compressed, row_starts

sparse_rows = pick("sparse_rows")

Array = np.ndarray


def _matrix(indices: Array, values: Array, shape: tuple[int, int]):
    """SciPy's matrix of coordinates; values at one place stay apart until they are multiplied."""
    from scipy.sparse import coo_array
    return coo_array((widened(values), (indices[0], indices[1])), shape=shape)


def add_sparse_product(out: Array, indices: Array, values: Array, dense: Array, alpha) -> None:
    """alpha * (sparse @ dense) added to an array."""
    product = _matrix(indices, values, (out.shape[0], dense.shape[0])) @ widened(dense)
    out += (product if alpha == 1 else product * alpha).astype(out.dtype, copy=False)


def add_batched_product(out: Array, indices: Array, values: Array, dense: Array) -> None:
    """The same matrix by matrix; the first coordinate is that of the batch."""
    for batch in range(out.shape[0]):
        kept = indices[0] == batch
        if kept.any():
            add_sparse_product(out[batch], indices[1:, kept], values[kept], dense[batch], 1)


def sparse_product(first_indices: Array, first: Array, second_indices: Array, second: Array, shape: tuple[int, int],
                   other: tuple[int, int]) -> tuple[Array, Array]:
    """Coordinates, in order, and values of the product of two sparse matrices."""
    loops = sparse_rows if is_wide(first) else rows_of_any_type
    factors = []
    for indices, values, (rows, _) in ((first_indices, first, shape), (second_indices, second, other)):
        columns = np.ascontiguousarray(indices[1], np.int64)
        factors += [row_starts(indices[0], rows), columns, np.ascontiguousarray(widened(values))]
    starts, columns, values = loops.product_of_rows(*factors, other[1])
    rows = np.repeat(np.arange(shape[0]), np.diff(starts))
    return np.stack([rows, columns]), values.astype(first.dtype, copy=False)


def compressed_product(out: Array, compressed: Array, plain: Array, values: Array, dense: Array, layout: str,
                       alpha) -> None:
    """alpha * (matrix of a compressed layout @ dense) added to an array."""
    if layout == "sparse_csr" and is_wide(out) and out.flags.c_contiguous and values.dtype == dense.dtype == out.dtype:
        _on_rows(sparse_rows.add_rows_by_dense, out, compressed, plain, (values, dense), alpha)
        return
    from scipy import sparse
    check_compressed(compressed, plain, out.shape, dense.shape[0], values, layout)
    makers = {"sparse_csr": sparse.csr_array, "sparse_csc": sparse.csc_array, "sparse_bsr": sparse.bsr_array}
    shape = (out.shape[0], dense.shape[0])
    if layout == "sparse_bsc":  # the transpose of rows of transposed blocks
        parts = (widened(values).transpose(0, 2, 1), plain, compressed)
        matrix = sparse.bsr_array(parts, shape=shape[::-1]).T
    else:
        matrix = makers[layout]((widened(values), plain, compressed), shape=shape)
    product = matrix @ widened(dense)
    out += (product if alpha == 1 else product * alpha).astype(out.dtype, copy=False)


def sampled_products(out: Array, compressed: Array, plain: Array, left: Array, right: Array) -> None:
    """Rows of one matrix times columns of another, at the places of a csr matrix."""
    loops = sparse_rows if is_wide(out) and out.flags.c_contiguous else rows_of_any_type
    _on_rows(loops.sampled_rows, out, compressed, plain, (left, right.T))


def _on_rows(loop: Callable, out: Array, compressed: Array, plain: Array, arrays: tuple[Array, ...], *options) -> None:
    """Run a loop over the rows of a csr matrix."""
    starts, columns = [np.ascontiguousarray(indices, np.int64) for indices in (compressed, plain)]
    try:
        loop(out, starts, columns, *map(np.ascontiguousarray, arrays), *options)
    except ValueError as error:
        raise RuntimeError(OUTSIDE) from error


def whole_rows(indices: Array, shape: tuple[int, int]) -> Array:
    """Coordinates of every element of the rows that a sparse matrix keeps anything of."""
    rows = np.unique(indices[0])
    return np.stack([np.repeat(rows, shape[1]), np.tile(np.arange(shape[1]), len(rows))]).astype(np.int64)


def reduce_rows(out: Array, places: Array, compressed: Array, plain: Array, values: Array, dense: Array,
                reduce: str) -> None:
    """Every row of a csr matrix times a dense one, its products summed, averaged, or the largest or least taken.

    ``places`` tells which element the largest or the least came from; as many as there are where there was none.
    """
    places[...] = len(values)
    for row in range(len(compressed) - 1):
        kept = slice(compressed[row], compressed[row + 1])
        products = values[kept, None] * dense[plain[kept]]
        if not len(products):
            out[row] = 0
        elif reduce in ("sum", "mean"):
            out[row] = products.sum(0) if reduce == "sum" else products.mean(0)
        else:
            at = products.argmax(0) if reduce == "amax" else products.argmin(0)
            out[row] = np.take_along_axis(products, at[None], 0)[0]
            places[row] = at + compressed[row]
