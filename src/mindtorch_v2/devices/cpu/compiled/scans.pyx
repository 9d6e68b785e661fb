# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Running sums, products and extremes along the middle of a contiguous (outer, n, inner)."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, into, is_real, share_of

from ..reference import scans as reference

cnp.import_array()

cdef extern from "scans.h" nogil:
    enum: SUM, PRODUCT, TILE, BUNDLE
    ctypedef struct scan:
        int kind
        int is_double
        char *out
        const char *x
        Py_ssize_t outer
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
    void run_bundles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void run_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct extremes
    ctypedef void (*extremes_loop)(const extremes *e, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct extremes:
        extremes_loop run
        void *values
        int64_t *places
        const void *x
        Py_ssize_t n
        Py_ssize_t inner
    const extremes_loop extremes_loops[2][3]
    void run_extremes(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef int accumulate(int kind, cnp.ndarray out, cnp.ndarray x, Py_ssize_t outer, Py_ssize_t n,
                    Py_ssize_t inner) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t size = elements(outer, n, inner)
    cdef scan s
    s.x, s.out = <char *>data(x, of_type, size), <char *>into(out, of_type, size)
    if not is_real(of_type):
        return 0
    s.kind, s.is_double, s.outer, s.n, s.inner = kind, of_type == cnp.NPY_DOUBLE, outer, n, inner
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
    cdef int of_type = cnp.PyArray_TYPE(x)
    cdef int slot = (0 if of_type == cnp.NPY_FLOAT else 1 if of_type == cnp.NPY_DOUBLE else
                     2 if of_type == cnp.NPY_INT64 else -1)
    cdef Py_ssize_t size = elements(outer, n, inner)
    cdef extremes e
    e.x, e.values = data(x, of_type, size), into(values, of_type, size)
    e.places = <int64_t *>into(places, cnp.NPY_INT64, size)
    if slot < 0:
        return reference.running_extreme(values, places, x, outer, n, inner, is_smallest)
    e.run, e.n, e.inner = extremes_loops[is_smallest][slot], n, inner
    with nogil:
        share_out(outer * inner, share_of(n), run_extremes, &e)
