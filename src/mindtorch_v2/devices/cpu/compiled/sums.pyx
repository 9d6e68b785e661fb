# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums, products, variances and running sums over one run of dimensions of a contiguous array."""
cimport numpy as cnp
from libc.math cimport sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from ..pool cimport share_out, stretch
from .arrays cimport data, elements, into, is_real

from ..reference import sums as reference

cnp.import_array()

cdef extern from "sums.h" nogil:
    enum: SUM, PRODUCT, SQUARES, LARGEST, SMALLEST, TILE, BUNDLE
    ctypedef struct reduction:
        int kind
        int is_double
        void *out
        double *parts
        const char *x
        Py_ssize_t outer
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
        Py_ssize_t piece
    ctypedef struct variance:
        reduction sums
        double *apart
    ctypedef struct whole_sums:
        uint64_t *out
        const uint64_t *x
        Py_ssize_t n
        Py_ssize_t piece
    uint64_t row_whole_sum(const uint64_t *x, Py_ssize_t n) noexcept
    void whole_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    double reduce_parts(const reduction *r, Py_ssize_t pieces) noexcept
    void put(const reduction *r, Py_ssize_t at, double value) noexcept
    void reduce_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void reduce_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void reduce_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void run_bundles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void run_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    SMALL = 4096  # elements up to which a reduction is a single call
    PIECE = 65_536  # elements of a single row that one thread takes at a time
    WORK = 32_768  # elements of rows or tiles that one thread takes at a time


cdef inline Py_ssize_t chunk_of(Py_ssize_t elements_each) noexcept nogil:
    """How many rows or tiles one thread takes at a time."""
    return 1 if elements_each >= WORK else WORK // (elements_each + 1)


cdef void over_tiles(reduction *r, stretch run, void *job) noexcept nogil:
    r.tiles = (r.inner + TILE - 1) // TILE
    share_out(r.outer * r.tiles, chunk_of(r.n * min(r.inner, <Py_ssize_t>TILE)), run, job)


cdef double one_row(reduction *r) except? -1 nogil:
    """What a single long row comes to: it is cut into pieces, whose results are reduced once more."""
    cdef Py_ssize_t pieces = (r.n + PIECE - 1) // PIECE
    cdef double total
    r.parts, r.piece = <double *>malloc((pieces + 1) * sizeof(double)), PIECE
    if r.parts == NULL:
        with gil:
            raise MemoryError("no memory left to add up the parts of a row")
    share_out(pieces, 1, reduce_pieces, r)
    total = reduce_parts(r, pieces)
    free(r.parts)
    return total


cdef int reduce(int kind, cnp.ndarray out, cnp.ndarray x, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    if not is_real(of_type):
        return 0
    cdef reduction r
    r.x, r.out = <char *>data(x, of_type, elements(outer, n, inner)), into(out, of_type, elements(outer, 1, inner))
    r.kind, r.is_double, r.outer, r.n, r.inner = kind, of_type == cnp.NPY_DOUBLE, outer, n, inner
    if outer * n * inner <= SMALL and inner == 1:
        reduce_rows(&r, 0, outer)
        return 1
    with nogil:
        if inner > 1:
            over_tiles(&r, reduce_tiles, &r)
        elif outer == 1:
            put(&r, 0, one_row(&r))
        else:
            share_out(outer, chunk_of(n), reduce_rows, &r)
    return 1


def largest(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the largest over j of x[i, j, k], for x seen as (outer, n, inner); a NaN where there is one."""
    if not reduce(LARGEST, out, x, outer, n, inner):
        reference.largest(out, x, outer, n, inner)


def smallest(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the smallest over j of x[i, j, k], for x seen as (outer, n, inner); a NaN where there is one."""
    if not reduce(SMALLEST, out, x, outer, n, inner):
        reference.smallest(out, x, outer, n, inner)


def total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the sum over j of x[i, j, k], for x seen as (outer, n, inner)."""
    if not reduce(SUM, out, x, outer, n, inner):
        reference.total(out, x, outer, n, inner)


def product(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the product over j of x[i, j, k], for x seen as (outer, n, inner)."""
    if not reduce(PRODUCT, out, x, outer, n, inner):
        reference.product(out, x, outer, n, inner)


def root_of_squares(cnp.ndarray x not None):
    """The Euclidean norm of all elements."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return reference.root_of_squares(x)
    cdef reduction r
    r.n = cnp.PyArray_SIZE(x)
    r.x, r.kind, r.is_double, r.outer, r.inner = <char *>data(x, kind, r.n), SQUARES, kind == cnp.NPY_DOUBLE, 1, 1
    cdef double squares
    with nogil:
        squares = one_row(&r)
    return sqrt(squares)


def whole_total(cnp.ndarray out not None, cnp.ndarray x not None):
    """The sum of all elements of an array of int64."""
    cdef whole_sums s
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x), pieces = (n + PIECE - 1) // PIECE
    cdef void *to = into(out, cnp.NPY_INT64, 1)
    s.x, s.n, s.piece = <uint64_t *>data(x, cnp.NPY_INT64, n), n, PIECE
    s.out = <uint64_t *>malloc((pieces + 1) * sizeof(uint64_t))
    if s.out == NULL:
        raise MemoryError("no memory left to add up the parts of a row")
    with nogil:
        share_out(pieces, 1, whole_pieces, &s)
        (<uint64_t *>to)[0] = row_whole_sum(s.out, pieces)
    free(s.out)


def spread(cnp.ndarray means not None, cnp.ndarray apart not None, cnp.ndarray x not None, Py_ssize_t outer,
           Py_ssize_t n, Py_ssize_t inner):
    """The means over j of x[i, j, k], and the sums of squared distances from them, both in double precision."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    if not is_real(of_type):
        return reference.spread(means, apart, x, outer, n, inner)
    cdef Py_ssize_t count = elements(outer, 1, inner)
    cdef variance v
    cdef reduction *r = &v.sums
    r.x, r.out = <char *>data(x, of_type, elements(outer, n, inner)), into(means, cnp.NPY_DOUBLE, count)
    v.apart = <double *>into(apart, cnp.NPY_DOUBLE, count)
    r.kind, r.is_double, r.outer, r.n, r.inner = SUM, of_type == cnp.NPY_DOUBLE, outer, n, inner
    with nogil:
        if inner > 1:
            over_tiles(r, spread_tiles, &v)
        else:
            share_out(outer, chunk_of(2 * n), spread_rows, &v)


def running_total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, j, k] = the sum of x[i, :j + 1, k], for x seen as (outer, n, inner)."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    if not is_real(of_type):
        return reference.running_total(out, x, outer, n, inner)
    cdef Py_ssize_t size = elements(outer, n, inner)
    cdef reduction r
    r.x, r.out = <char *>data(x, of_type, size), into(out, of_type, size)
    r.kind, r.is_double, r.outer, r.n, r.inner = SUM, of_type == cnp.NPY_DOUBLE, outer, n, inner
    with nogil:
        if inner > 1:
            over_tiles(&r, run_tiles, &r)
        else:
            share_out((outer + BUNDLE - 1) // BUNDLE, chunk_of(n * BUNDLE), run_bundles, &r)
