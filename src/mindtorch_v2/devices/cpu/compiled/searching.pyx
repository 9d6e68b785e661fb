# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Places among sorted numbers, runs of equal ones, and how often each occurs."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, extent, into, is_real, share_of

from ..reference import searching as reference

cnp.import_array()

cdef extern from "searching.h" nogil:
    ctypedef struct search:
        const char *boundaries
        const char *values
        int64_t *out
        Py_ssize_t count
        Py_ssize_t of_row
        int right
    ctypedef void (*place_loop)(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef Py_ssize_t (*run_loop)(int64_t *starts, const void *x, Py_ssize_t n) noexcept
    const place_loop place_loops[7]
    const run_loop run_loops[7]
    void count_between_float(int64_t *out, const float *edges, Py_ssize_t bins, const float *x, Py_ssize_t n) noexcept
    void count_between_double(int64_t *out, const double *edges, Py_ssize_t bins, const double *x,
                              Py_ssize_t n) noexcept
    Py_ssize_t count_numbers(int64_t *out, Py_ssize_t size, const int64_t *x, Py_ssize_t n) noexcept


cdef enum:
    STEPS = 64  # comparisons, or so, that it takes to find a place


cdef int slot(int kind) noexcept:
    """Which loop compares numbers of a type; -1 if none does."""
    if kind == cnp.NPY_FLOAT:
        return 0
    if kind == cnp.NPY_DOUBLE:
        return 1
    if kind == cnp.NPY_INT8:
        return 2
    if kind == cnp.NPY_UINT8 or kind == cnp.NPY_BOOL:
        return 3
    return 4 if kind == cnp.NPY_INT16 else 5 if kind == cnp.NPY_INT32 else 6 if kind == cnp.NPY_INT64 else -1


def places(cnp.ndarray out not None, cnp.ndarray boundaries not None, cnp.ndarray values not None, bint right):
    """Where values would be put among sorted boundaries: all in one line, or row by row of (rows, boundaries)."""
    cdef search s
    cdef int kind = cnp.PyArray_TYPE(boundaries), at = slot(kind)
    cdef Py_ssize_t total = cnp.PyArray_SIZE(values), rows = 1
    if at < 0:
        return reference.places(out, boundaries, values, right)
    if cnp.PyArray_NDIM(boundaries) != 1:
        rows = extent(boundaries, 0)
        if cnp.PyArray_NDIM(boundaries) != 2 or extent(values, 0) != rows:
            raise ValueError(f"places: {(<object>values).shape} do not fit {(<object>boundaries).shape}")
    s.count, s.right = extent(boundaries, cnp.PyArray_NDIM(boundaries) - 1), right
    s.of_row = max(total // max(rows, 1), 1)
    s.boundaries = <char *>data(boundaries, kind, elements(rows, s.count, 1))
    s.values, s.out = <char *>data(values, kind, total), <int64_t *>into(out, cnp.NPY_INT64, total)
    with nogil:
        share_out(total, share_of(STEPS), place_loops[at], &s)


def run_starts(cnp.ndarray x not None):
    """The places of elements that differ from the one before, the first one included."""
    cdef int kind = cnp.PyArray_TYPE(x), at = slot(kind)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x), count
    cdef cnp.npy_intp size
    if at < 0:
        return reference.run_starts(x)
    cdef void *memory = data(x, kind, n)
    with nogil:
        count = run_loops[at](NULL, memory, n)
    size = count + 1  # the last place is written to and not kept
    cdef cnp.ndarray starts = cnp.PyArray_EMPTY(1, &size, cnp.NPY_INT64, False)
    cdef int64_t *to = <int64_t *>cnp.PyArray_DATA(starts)
    with nogil:
        run_loops[at](to, memory, n)
    return starts[:count]


def counts(cnp.ndarray out not None, cnp.ndarray x not None):
    """How often each number from zero on occurs."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x), size = cnp.PyArray_SIZE(out), wrong
    cdef int64_t *memory = <int64_t *>data(x, cnp.NPY_INT64, n)
    cdef int64_t *to = <int64_t *>into(out, cnp.NPY_INT64, size)
    out[...] = 0
    with nogil:
        wrong = count_numbers(to, size, memory, n)
    if wrong >= 0:
        raise ValueError(f"counts: {memory[wrong]} is not counted in {size}")


def counts_between(cnp.ndarray out not None, cnp.ndarray edges not None, cnp.ndarray x not None):
    """Add to each bin between sorted edges how many numbers lie in it."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x), bins = cnp.PyArray_SIZE(out)
    cdef int64_t *to = <int64_t *>into(out, cnp.NPY_INT64, bins)
    cdef void *of_edges = data(edges, kind, bins + 1)
    cdef void *values = data(x, kind, n)
    if not is_real(kind):
        return reference.counts_between(out, edges, x)
    if not bins:
        return
    with nogil:
        if kind == cnp.NPY_FLOAT:
            count_between_float(to, <float *>of_edges, bins, <float *>values, n)
        else:
            count_between_double(to, <double *>of_edges, bins, <double *>values, n)
