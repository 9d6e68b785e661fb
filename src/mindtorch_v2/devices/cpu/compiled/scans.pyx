# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Running sums, products and extremes along the middle of a contiguous (outer, n, inner)."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, into, share_of

from ..reference import scans as reference

cnp.import_array()

cdef extern from "scans.h" nogil:
    enum: SUM, PRODUCT, TILE, BUNDLE
    enum: F32, F64, U8, I8, I16, I32, I64, C64, C128, TYPES
    ctypedef void (*rows_loop)(void *out, const void *x, Py_ssize_t rows, Py_ssize_t n) noexcept
    ctypedef void (*columns_loop)(void *out, const void *x, Py_ssize_t n, Py_ssize_t step, Py_ssize_t width) noexcept
    const rows_loop rows_loops[2][TYPES]
    const columns_loop columns_loops[2][TYPES]
    ctypedef struct scan:
        rows_loop by_rows
        columns_loop by_columns
        char *out
        const char *x
        Py_ssize_t itemsize
        Py_ssize_t outer
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
    void run_bundles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void run_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct extremes
    ctypedef void (*extremes_loop)(const extremes *e, Py_ssize_t at, Py_ssize_t count) noexcept
    ctypedef struct extremes:
        extremes_loop run
        void *values
        int64_t *places
        const void *x
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
    const extremes_loop extremes_loops[2][2][TYPES]
    void run_extremes(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept


cdef int type_of(cnp.ndarray x) noexcept:
    """Which loop accumulates numbers of a type; -1 if none does."""
    cdef int kind = cnp.PyArray_TYPE(x)
    return (F32 if kind == cnp.NPY_FLOAT else F64 if kind == cnp.NPY_DOUBLE else I64 if kind == cnp.NPY_INT64
            else I32 if kind == cnp.NPY_INT32 else I16 if kind == cnp.NPY_INT16 else I8 if kind == cnp.NPY_INT8
            else U8 if kind == cnp.NPY_UINT8 or kind == cnp.NPY_BOOL else C64 if kind == cnp.NPY_COMPLEX64
            else C128 if kind == cnp.NPY_COMPLEX128 else -1)


cdef int accumulate(int kind, cnp.ndarray out, cnp.ndarray x, Py_ssize_t outer, Py_ssize_t n,
                    Py_ssize_t inner) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int of_type = cnp.PyArray_TYPE(x), slot = type_of(x)
    cdef Py_ssize_t size = elements(outer, n, inner)
    cdef scan s
    s.x, s.out = <char *>data(x, of_type, size), <char *>into(out, of_type, size)
    if slot < 0 or rows_loops[kind][slot] == NULL:
        return 0
    s.by_rows, s.by_columns, s.itemsize = rows_loops[kind][slot], columns_loops[kind][slot], cnp.PyArray_ITEMSIZE(x)
    s.outer, s.n, s.inner = outer, n, inner
    s.tiles = (inner + TILE - 1) // TILE
    with nogil:
        if inner > 1:
            share_out(outer * s.tiles, share_of(n * min(inner, <Py_ssize_t>TILE)), run_tiles, &s)
        else:
            share_out((outer + BUNDLE - 1) // BUNDLE, share_of(n * BUNDLE), run_bundles, &s)
    return 1


def running_total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, j, k] = the sum of x[i, :j + 1, k], for x seen as (outer, n, inner)."""
    if not accumulate(SUM, out, x, outer, n, inner):
        reference.running_total(out, x, outer, n, inner)


def running_product(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, j, k] = the product of x[i, :j + 1, k], for x seen as (outer, n, inner)."""
    if not accumulate(PRODUCT, out, x, outer, n, inner):
        reference.running_product(out, x, outer, n, inner)


def running_extreme(cnp.ndarray values not None, cnp.ndarray places not None, cnp.ndarray x not None, Py_ssize_t outer,
                    Py_ssize_t n, Py_ssize_t inner, bint is_smallest):
    """The largest, or smallest, of x[i, :j + 1, k] and the last place of it; a NaN is the extreme from there on."""
    cdef int of_type = cnp.PyArray_TYPE(x), slot = type_of(x)
    cdef Py_ssize_t size = elements(outer, n, inner)
    cdef extremes e
    e.x, e.values = data(x, of_type, size), into(values, of_type, size)
    e.places = <int64_t *>into(places, cnp.NPY_INT64, size)
    if slot < 0 or extremes_loops[is_smallest][inner > 1][slot] == NULL:
        return reference.running_extreme(values, places, x, outer, n, inner, is_smallest)
    e.run, e.n, e.inner = extremes_loops[is_smallest][inner > 1][slot], n, inner
    e.tiles = (inner + TILE - 1) // TILE
    with nogil:
        share_out(outer * e.tiles, share_of(n * min(inner, <Py_ssize_t>TILE)), run_extremes, &e)
