# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""gather and scatter over the middle of contiguous (outer, n, inner), and the places of what is true."""
cimport numpy as cnp
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, data, elements, into
from .walk cimport BFLOAT16, FLOAT16, NOT_HALF, half_kind, is_apart

import numpy as np

from ..reference import selection as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a) nogil  # aligned and in this machine's byte order

cdef extern from "selection.h" nogil:
    enum: COUNTED, MOST_COORDINATES, MOST_BYTES
    enum: F32, F64, U8, I8, I16, I32, I64, BOOL, F16, BF16, C64, C128
    ctypedef struct selection
    ctypedef void (*selecting)(selection *s, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    ctypedef struct selection:
        selecting run
        char *out
        const char *x
        const int64_t *places
        Py_ssize_t outer
        Py_ssize_t n
        Py_ssize_t count
        Py_ssize_t inner
        Py_ssize_t step
        int shares
        int has_bad
    ctypedef struct truths:
        int64_t *out
        const uint8_t *x
        const Py_ssize_t *sizes
        int ndim
        Py_ssize_t n
        Py_ssize_t *counts
    ctypedef struct Located:
        char *out
        const char *x
        const char *at[MOST_COORDINATES]
        Py_ssize_t apart[MOST_COORDINATES]
        Py_ssize_t sizes[MOST_COORDINATES]
        int dims, has_bad
        Py_ssize_t bytes
    const selecting* gather_loops
    const selecting* put_loops
    const selecting* add_loops
    const selecting* multiply_loops
    const selecting* larger_loops
    const selecting* smaller_loops
    int are_all_within "are_within"(const int64_t *places, Py_ssize_t count, Py_ssize_t n) noexcept
    void check_places(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void select_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void check_and_select_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void count_strips(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct masked_elements:
        truths mask
        char *out
        const char *x
        Py_ssize_t itemsize
        Py_ssize_t total
    ctypedef void (*true_taking)(void *out, const void *x, const uint8_t *mask, Py_ssize_t n, Py_ssize_t count) noexcept
    const true_taking* take_true_loops
    const true_taking* put_true_loops
    void put_masked_strips(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    enum: TABLE, HALVES_AT_ONCE
    ctypedef struct halves_to_add:
        int half, has_failed
        uint16_t *out
        const uint16_t *x
        const int64_t *places
        Py_ssize_t n, count, inner, width, tiles
    void add_half_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void take_masked_strips(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void write_strips(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void take_located(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 16_384  # elements that one thread takes at a time


cdef bint run(selecting loop, bint reads, cnp.ndarray out, cnp.ndarray x, cnp.ndarray places, Py_ssize_t outer,
              Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner) except -1:
    """False where a place does not exist; nothing is scattered then. Places may be given once for all lines."""
    cdef selection s
    cdef int of_type = cnp.PyArray_TYPE(out)
    cdef Py_ssize_t chosen = elements(outer, count, inner), whole = elements(outer, n, inner)
    cdef bint shares = cnp.PyArray_SIZE(places) == count != chosen
    cdef Py_ssize_t chunk = WORK // (count * inner + 1) + 1
    s.step = 0 if cnp.PyArray_SIZE(x) == 1 and not reads and chosen != 1 else 1
    s.out = <char *>into(out, of_type, chosen if reads else whole)
    s.x = <char *>data(x, of_type, whole if reads else chosen if s.step else 1)
    s.places = <int64_t *>data(places, cnp.NPY_INT64, count if shares else chosen)
    s.outer, s.n, s.count, s.inner, s.run, s.has_bad, s.shares = outer, n, count, inner, loop, 0, shares
    with nogil:
        if reads:
            share_out(outer, chunk, check_and_select_part, &s)
        else:
            share_out(outer, chunk, check_places, &s)
            if not s.has_bad:
                share_out(outer, chunk, select_part, &s)
    return not s.has_bad


cdef selecting moving(const selecting* loops, cnp.ndarray a) noexcept:
    """The loop that moves elements of this size, if there is one."""
    cdef int size = cnp.PyArray_ITEMSIZE(a)
    return loops[size] if size <= MOST_BYTES else NULL


def folded(cnp.ndarray lines not None, cnp.ndarray places not None, int dim):
    """(outer, n, count, inner) of contiguous arrays that differ in one dimension alone; None where others differ."""
    cdef int nd = cnp.PyArray_NDIM(lines), d
    cdef Py_ssize_t outer = 1, inner = 1
    if nd != cnp.PyArray_NDIM(places) or not 0 <= dim < nd:
        return None
    if not (cnp.PyArray_IS_C_CONTIGUOUS(lines) and cnp.PyArray_IS_C_CONTIGUOUS(places)):
        return None
    for d in range(nd):
        if d != dim and cnp.PyArray_DIM(lines, d) != cnp.PyArray_DIM(places, d):
            return None
        if d < dim:
            outer *= cnp.PyArray_DIM(lines, d)
        elif d > dim:
            inner *= cnp.PyArray_DIM(lines, d)
    return outer, cnp.PyArray_DIM(lines, dim), cnp.PyArray_DIM(places, dim), inner


def gather(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
           Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, j, k] = x[i, places[i, j, k], k]; False where a place does not exist."""
    cdef selecting loop = moving(gather_loops, out)
    if loop == NULL:
        return reference.gather(out, x, places, outer, n, count, inner)
    return run(loop, True, out, x, places, outer, n, count, inner)


def scatter(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
            Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[i, j, k], k] = x[i, j, k], the last of several; x may be a single element."""
    cdef selecting loop = moving(put_loops, out)
    if loop == NULL:
        return reference.scatter(out, x, places, outer, n, count, inner)
    return run(loop, False, out, x, places, outer, n, count, inner)


cdef inline selecting entering(const selecting* loops, cnp.ndarray a) noexcept:
    """The loop that enters elements of this type, if there is one."""
    cdef int kind = cnp.PyArray_TYPE(a), half = half_kind(a)
    cdef int slot = (F32 if kind == cnp.NPY_FLOAT else F64 if kind == cnp.NPY_DOUBLE else I64 if kind == cnp.NPY_INT64
                     else I32 if kind == cnp.NPY_INT32 else I16 if kind == cnp.NPY_INT16
                     else I8 if kind == cnp.NPY_INT8 else U8 if kind == cnp.NPY_UINT8 else BOOL if kind == cnp.NPY_BOOL
                     else C64 if kind == cnp.NPY_COMPLEX64 else C128 if kind == cnp.NPY_COMPLEX128
                     else F16 if half == FLOAT16 else BF16 if half == BFLOAT16 else -1)
    return NULL if slot < 0 else loops[slot]


cdef enter(const selecting* loops, other, cnp.ndarray out, cnp.ndarray x, cnp.ndarray places, Py_ssize_t outer,
           Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """Enter elements at their places by the loop for their type, or by another function where there is none."""
    cdef selecting loop = entering(loops, out)
    if loop == NULL:
        return other(out, x, places, outer, n, count, inner)
    return run(loop, False, out, x, places, outer, n, count, inner)


def scatter_add(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
                Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[i, j, k], k] += x[i, j, k], one after the other; x may be a single element."""
    return enter(add_loops, reference.scatter_add, out, x, places, outer, n, count, inner)


def scatter_multiply(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
                     Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[i, j, k], k] *= x[i, j, k], one after the other; x may be a single element."""
    return enter(multiply_loops, reference.scatter_multiply, out, x, places, outer, n, count, inner)


def scatter_larger(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
                   Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """The larger of out[i, places[i, j, k], k] and x[i, j, k] stays there; x may be a single element."""
    return enter(larger_loops, reference.scatter_larger, out, x, places, outer, n, count, inner)


def scatter_smaller(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
                    Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """The smaller of out[i, places[i, j, k], k] and x[i, j, k] stays there; x may be a single element."""
    return enter(smaller_loops, reference.scatter_smaller, out, x, places, outer, n, count, inner)


def add_halves(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
               Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[j], k] += x[i, j, k] in half precision, added up in float32 and rounded once; False where there
    are too many places for that."""
    cdef halves_to_add h
    cdef int kind = cnp.PyArray_TYPE(out)
    h.half, h.has_failed = half_kind(out), False
    if h.half == NOT_HALF or n > TABLE:
        return False
    h.out, h.x = <uint16_t *>into(out, kind, elements(outer, n, inner)), <uint16_t *>data(x, kind, elements(outer, count, inner))
    h.places, h.n, h.count, h.inner = <int64_t *>data(places, cnp.NPY_INT64, count), n, count, inner
    h.width = max(min(min(TABLE // max(n, 1), inner), HALVES_AT_ONCE), 1)
    h.tiles = (inner + h.width - 1) // h.width
    if not are_all_within(h.places, count, n):
        raise IndexError(f"a place beyond {n}")
    with nogil:
        share_out(outer * h.tiles, WORK // ((n + count) * h.width + 1) + 1, add_half_tiles, &h)
    if h.has_failed:
        raise MemoryError("no memory left to add up in float32")
    return True


def located(cnp.ndarray out not None, cnp.ndarray x not None, list coordinates not None):
    """out[i] = x[coordinates[0][i], coordinates[1][i], …], for contiguous x and out and lines of int64; False where a
    coordinate does not exist, or arrays are of another kind."""
    cdef Located l
    cdef Py_ssize_t count, rows = 1, d
    cdef cnp.ndarray line
    if not 0 < len(coordinates) <= MOST_COORDINATES or len(coordinates) > cnp.PyArray_NDIM(x):
        return False
    count = cnp.PyArray_SIZE(<cnp.ndarray?>coordinates[0])
    l.dims, l.has_bad = len(coordinates), 0
    for d in range(l.dims):
        line = <cnp.ndarray?>coordinates[d]
        if (cnp.PyArray_NDIM(line) != 1 or cnp.PyArray_SIZE(line) != count or cnp.PyArray_TYPE(line) != cnp.NPY_INT64
                or not PyArray_ISBEHAVED_RO(line)):
            return False
        l.at[d], l.apart[d], l.sizes[d] = cnp.PyArray_BYTES(line), cnp.PyArray_STRIDE(line, 0), cnp.PyArray_DIM(x, d)
        rows *= cnp.PyArray_DIM(x, d)
    if (rows == 0 or count == 0 or cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(x) or not PyArray_ISCARRAY(out)
            or not PyArray_ISCARRAY_RO(x) or x.dtype.hasobject
            or cnp.PyArray_NBYTES(out) != count * (cnp.PyArray_NBYTES(x) // rows)):
        return False
    l.out, l.x, l.bytes = cnp.PyArray_BYTES(out), cnp.PyArray_BYTES(x), cnp.PyArray_NBYTES(x) // rows
    with nogil:
        share_out(count, WORK * 4 // (l.bytes + 1) + 1, take_located, &l)
    return not l.has_bad


def few_nonzero(cnp.ndarray x not None):
    """The coordinates of all true elements of a small contiguous array, dimension by dimension."""
    cdef Py_ssize_t size = cnp.PyArray_SIZE(x), i, count = 0, at = 0, rest
    cdef const uint8_t *values = <uint8_t *>data(x, cnp.NPY_BOOL, size)
    cdef int nd = cnp.PyArray_NDIM(x), d
    cdef cnp.npy_intp shape[2]
    cdef cnp.ndarray coordinates
    cdef int64_t *out
    for i in range(size):
        count += values[i] != 0
    shape[0], shape[1] = nd, count
    coordinates = cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT64, 0)
    out = <int64_t *>cnp.PyArray_DATA(coordinates)
    for i in range(size):
        if values[i]:
            rest = i
            for d in range(nd - 1, -1, -1):
                out[d * count + at] = rest % cnp.PyArray_DIM(x, d)
                rest //= cnp.PyArray_DIM(x, d)
            at += 1
    return coordinates


cdef Py_ssize_t count_all(truths *t, cnp.ndarray x, Py_ssize_t strips) except -1:
    """How many elements are true; ``counts`` then has those before every strip, and is the caller's to free."""
    cdef Py_ssize_t i, before = 0, count
    t.n, t.ndim, t.sizes = cnp.PyArray_SIZE(x), cnp.PyArray_NDIM(x), <Py_ssize_t *>cnp.PyArray_DIMS(x)
    t.x = <uint8_t *>data(x, cnp.NPY_BOOL, t.n)
    t.counts = <Py_ssize_t *>malloc((strips + 1) * sizeof(Py_ssize_t))
    if t.counts == NULL:
        raise MemoryError
    with nogil:
        share_out(strips, 1, count_strips, t)
    for i in range(strips):
        count = t.counts[i]
        t.counts[i] = before
        before += count
    return before


def masked(cnp.ndarray x not None, cnp.ndarray mask not None):
    """The elements of a contiguous array where a mask of its size is true, in order; None of another kind of array."""
    cdef masked_elements m
    cdef cnp.npy_intp count
    cdef cnp.ndarray out
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(x), strips = (cnp.PyArray_SIZE(mask) + COUNTED - 1) // COUNTED
    if (size > MOST_BYTES or take_true_loops[size] == NULL or not PyArray_ISCARRAY_RO(x) or x.dtype.hasobject
            or not PyArray_ISCARRAY_RO(mask) or cnp.PyArray_TYPE(mask) != cnp.NPY_BOOL
            or cnp.PyArray_SIZE(x) != cnp.PyArray_SIZE(mask)):
        return None
    m.x, m.itemsize, count = cnp.PyArray_BYTES(x), size, count_all(&m.mask, mask, strips)
    try:
        out = np.empty(count, x.dtype)
        m.out, m.total = cnp.PyArray_BYTES(out), count
        with nogil:
            share_out(strips, 1, take_masked_strips, &m)
    finally:
        free(m.mask.counts)
    return out


def put_masked(cnp.ndarray out not None, cnp.ndarray mask not None, cnp.ndarray x not None):
    """One element of x after the other where a mask is true; False for other arrays, None if x is too short."""
    cdef masked_elements m
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(x), strips = (cnp.PyArray_SIZE(mask) + COUNTED - 1) // COUNTED
    if (size > MOST_BYTES or put_true_loops[size] == NULL or cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(x)
            or not PyArray_ISCARRAY_RO(x) or x.dtype.hasobject or not PyArray_ISCARRAY(out) or not is_apart(out, x)
            or not PyArray_ISCARRAY_RO(mask) or cnp.PyArray_TYPE(mask) != cnp.NPY_BOOL
            or cnp.PyArray_SIZE(out) != cnp.PyArray_SIZE(mask)):
        return False
    m.x, m.out, m.itemsize = cnp.PyArray_BYTES(x), cnp.PyArray_BYTES(out), size
    m.total = count_all(&m.mask, mask, strips)
    try:
        if m.total > cnp.PyArray_SIZE(x):
            return None
        with nogil:
            share_out(strips, 1, put_masked_strips, &m)
    finally:
        free(m.mask.counts)
    return True


def nonzero(cnp.ndarray x not None):
    """The coordinates of all true elements of a contiguous array, a row each."""
    cdef truths t
    cdef cnp.npy_intp shape[2]
    cdef cnp.ndarray coordinates
    cdef Py_ssize_t strips = (cnp.PyArray_SIZE(x) + COUNTED - 1) // COUNTED
    shape[0] = count_all(&t, x, strips)
    shape[1] = t.ndim
    coordinates = cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT64, 0)
    t.out = <int64_t *>cnp.PyArray_DATA(coordinates)
    with nogil:
        share_out(strips, 1, write_strips, &t)
    free(t.counts)
    return coordinates
