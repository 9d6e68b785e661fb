# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums, products, extremes and variances over one run of dimensions of a contiguous array."""
cimport numpy as cnp
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from ..pool cimport share_out, stretch
from .arrays cimport data, elements, into, is_real
from .walk cimport NOT_HALF, half_kind

from ..reference import sums as reference

cnp.import_array()

cdef extern from "sums.h" nogil:
    enum: SUM, PRODUCT, SQUARES, NUMBERS, LARGEST, SMALLEST, TILE
    ctypedef struct reduction:
        int kind
        int is_double
        int half
        int takes_root
        Py_ssize_t itemsize
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
        const char *x
        Py_ssize_t itemsize
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
        Py_ssize_t piece
    uint64_t row_whole_int64_t(const int64_t *x, Py_ssize_t n) noexcept
    void whole_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    double reduce_parts(const reduction *r, Py_ssize_t pieces) noexcept
    void put(const reduction *r, Py_ssize_t at, double value) noexcept
    void reduce_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void reduce_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void reduce_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

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


cdef inline void describe(reduction *r, int kind, cnp.ndarray x) noexcept:
    """What is reduced, and how."""
    r.kind, r.is_double, r.half, r.takes_root = kind, cnp.PyArray_TYPE(x) == cnp.NPY_DOUBLE, half_kind(x), False
    r.itemsize = cnp.PyArray_ITEMSIZE(x)


cdef int reduce(int kind, cnp.ndarray out, cnp.ndarray x, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                bint takes_root=False) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    cdef reduction r
    if not is_real(of_type) and half_kind(x) == NOT_HALF:
        return 0
    describe(&r, kind, x)
    r.x, r.out = <char *>data(x, of_type, elements(outer, n, inner)), into(out, of_type, elements(outer, 1, inner))
    r.outer, r.n, r.inner, r.takes_root = outer, n, inner, takes_root
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


def number_total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the sum over j of x[i, j, k], for x seen as (outer, n, inner); a NaN counts nothing."""
    if not reduce(NUMBERS, out, x, outer, n, inner):
        reference.number_total(out, x, outer, n, inner)


def root_of_squares(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the Euclidean norm over j of x[i, j, k], for x seen as (outer, n, inner)."""
    if not reduce(SQUARES, out, x, outer, n, inner, True):
        reference.root_of_squares(out, x, outer, n, inner)


def whole_total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the sum over j of x[i, j, k] in 64 bits, for whole numbers of 8 bits without a sign, 32 or 64."""
    cdef whole_sums s
    cdef int of_type = cnp.PyArray_TYPE(x)
    if of_type not in (cnp.NPY_BOOL, cnp.NPY_UINT8, cnp.NPY_INT32, cnp.NPY_INT64):
        return reference.whole_total(out, x, outer, n, inner)
    s.x, s.itemsize = <char *>data(x, of_type, elements(outer, n, inner)), cnp.PyArray_ITEMSIZE(x)
    s.out = <uint64_t *>into(out, cnp.NPY_INT64, elements(outer, 1, inner))
    s.n, s.inner, s.piece, s.tiles = n, inner, PIECE, (inner + TILE - 1) // TILE
    if inner == 1 and outer == 1 and n > PIECE:
        return one_whole_row(&s)
    with nogil:
        if inner == 1:
            share_out(outer, chunk_of(n), whole_rows, &s)
        else:
            share_out(outer * s.tiles, chunk_of(n * min(inner, <Py_ssize_t>TILE)), whole_tiles, &s)


cdef object one_whole_row(whole_sums *s):
    """A single long row, piece by piece."""
    cdef Py_ssize_t pieces = (s.n + PIECE - 1) // PIECE
    cdef uint64_t *total = s.out
    s.out = <uint64_t *>malloc(pieces * sizeof(uint64_t))
    if s.out == NULL:
        raise MemoryError("no memory left to add up the parts of a row")
    with nogil:
        share_out(pieces, 1, whole_pieces, s)
        total[0] = row_whole_int64_t(<int64_t *>s.out, pieces)
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
    describe(r, SUM, x)
    r.outer, r.n, r.inner = outer, n, inner
    with nogil:
        if inner > 1:
            over_tiles(r, spread_tiles, &v)
        else:
            share_out(outer, chunk_of(2 * n), spread_rows, &v)
