# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Where the largest or smallest stands along the middle of a contiguous (outer, n, inner)."""
cimport numpy as cnp
from libc.stdint cimport INT32_MAX, int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, into, share_of

from ..reference import places as reference

cnp.import_array()

cdef extern from "places.h" nogil:
    enum: TILE, F32, F64, U8, I8, I16, I32, I64, TYPES
    ctypedef struct places
    ctypedef void (*columns_loop)(const places *p, Py_ssize_t item, Py_ssize_t first, Py_ssize_t width) noexcept
    ctypedef void (*rows_loop)(const places *p, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct places:
        columns_loop by_columns
        rows_loop by_rows
        int64_t *out
        const void *x
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
    const columns_loop columns_loops[2][TYPES]
    const rows_loop rows_loops[2][TYPES]
    void find_places(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept


cdef int type_of(cnp.ndarray x) noexcept:
    """Which loop compares numbers of a type; -1 if none does."""
    cdef int kind = cnp.PyArray_TYPE(x)
    return (F32 if kind == cnp.NPY_FLOAT else F64 if kind == cnp.NPY_DOUBLE else I64 if kind == cnp.NPY_INT64
            else I32 if kind == cnp.NPY_INT32 else I16 if kind == cnp.NPY_INT16 else I8 if kind == cnp.NPY_INT8
            else U8 if kind == cnp.NPY_UINT8 or kind == cnp.NPY_BOOL else -1)


def place_of_extreme(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n,
                     Py_ssize_t inner, bint is_smallest):
    """out[i, k] = the first j with the largest, or smallest, x[i, j, k]; the first NaN where there is one."""
    cdef int slot = type_of(x)
    cdef places p
    if slot < 0 or not 0 < n < INT32_MAX:
        return reference.place_of_extreme(out, x, outer, n, inner, is_smallest)
    p.x, p.out = data(x, cnp.PyArray_TYPE(x), elements(outer, n, inner)), \
        <int64_t *>into(out, cnp.NPY_INT64, elements(outer, 1, inner))
    p.by_columns, p.by_rows = columns_loops[is_smallest][slot], rows_loops[is_smallest][slot]
    p.n, p.inner, p.tiles = n, inner, (inner + TILE - 1) // TILE
    with nogil:
        share_out(outer * p.tiles, share_of(n * min(inner, <Py_ssize_t>TILE)), find_places, &p)
