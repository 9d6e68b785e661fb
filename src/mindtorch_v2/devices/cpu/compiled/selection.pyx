# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""gather, scatter and scatter_add over the middle of contiguous (outer, n, inner), and the places of what is true."""
cimport numpy as cnp
from libc.stdint cimport int64_t, uint8_t
from ..pool cimport share_out
from .arrays cimport data, elements, into

from ..reference import selection as reference

cnp.import_array()

cdef extern from "selection.h" nogil:
    ctypedef struct selection:
        char *out
        const char *x
        const int64_t *places
        Py_ssize_t outer
        Py_ssize_t n
        Py_ssize_t count
        Py_ssize_t inner
        Py_ssize_t step
        int kind
    ctypedef void (*selecting)(selection *s, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    const selecting* gather_loops
    const selecting* scatter_loops
    const selecting* add_loops
    bint are_within(const int64_t *places, Py_ssize_t count, Py_ssize_t n) noexcept
    Py_ssize_t count_true(const uint8_t *x, Py_ssize_t n) noexcept
    void coordinates(int64_t *out, const uint8_t *x, const Py_ssize_t *sizes, int ndim, Py_ssize_t rows) noexcept

cdef enum:
    WORK = 32_768  # elements that one thread takes at a time
    LARGEST = 8  # bytes of an element that is moved
    ADDED = 100  # where the kinds of loops that add begin


cdef selecting loop_of(int kind) noexcept nogil:
    return add_loops[kind - 2 * ADDED] if kind >= 2 * ADDED else scatter_loops[kind - ADDED] if kind >= ADDED \
        else gather_loops[kind]


cdef void select_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef selection *s = <selection *>job
    loop_of(s.kind)(s, begin, end)


cdef bint run(int kind, cnp.ndarray out, cnp.ndarray x, cnp.ndarray places, Py_ssize_t outer, Py_ssize_t n,
              Py_ssize_t count, Py_ssize_t inner) except -1:
    """False, and nothing is done, where a place does not exist."""
    cdef selection s
    cdef int of_type = cnp.PyArray_TYPE(out)
    cdef Py_ssize_t chosen = elements(outer, count, inner), whole = elements(outer, n, inner)
    cdef bint reads = kind < ADDED
    s.step = 0 if cnp.PyArray_SIZE(x) == 1 and not reads and chosen != 1 else 1
    s.out = <char *>into(out, of_type, chosen if reads else whole)
    s.x = <char *>data(x, of_type, whole if reads else chosen if s.step else 1)
    s.places = <int64_t *>data(places, cnp.NPY_INT64, chosen)
    s.outer, s.n, s.count, s.inner, s.kind = outer, n, count, inner, kind
    if not are_within(s.places, chosen, n):
        return False
    with nogil:
        share_out(outer, WORK // (count * inner + 1) + 1, select_part, &s)
    return True


cdef int moving(cnp.ndarray a) noexcept:
    """The kind of loop that moves elements of this size, or 0."""
    cdef int size = cnp.PyArray_ITEMSIZE(a)
    return size if size <= LARGEST and gather_loops[size] != NULL else 0


def gather(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
           Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, j, k] = x[i, places[i, j, k], k]; False where a place does not exist."""
    cdef int kind = moving(out)
    if kind == 0:
        return reference.gather(out, x, places, outer, n, count, inner)
    return run(kind, out, x, places, outer, n, count, inner)


def scatter(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
            Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[i, j, k], k] = x[i, j, k], the last of several; x may be a single element."""
    cdef int kind = moving(out)
    if kind == 0:
        return reference.scatter(out, x, places, outer, n, count, inner)
    return run(kind + ADDED, out, x, places, outer, n, count, inner)


def scatter_add(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray places not None, Py_ssize_t outer,
                Py_ssize_t n, Py_ssize_t count, Py_ssize_t inner):
    """out[i, places[i, j, k], k] += x[i, j, k], one after the other; x may be a single element."""
    cdef int kind = cnp.PyArray_TYPE(out)
    cdef int slot = (0 if kind == cnp.NPY_FLOAT else 1 if kind == cnp.NPY_DOUBLE else 2 if kind == cnp.NPY_INT32
                     else 3 if kind == cnp.NPY_INT64 else -1)
    if slot < 0:
        return reference.scatter_add(out, x, places, outer, n, count, inner)
    return run(slot + 2 * ADDED, out, x, places, outer, n, count, inner)


def nonzero(cnp.ndarray x not None):
    """The coordinates of all true elements of a contiguous array, a row each."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x), width
    cdef cnp.ndarray coordinates_of_true
    cdef uint8_t *of
    cdef int ndim = cnp.PyArray_NDIM(x)
    cdef cnp.npy_intp shape[2]
    of = <uint8_t *>data(x, cnp.NPY_BOOL, n)
    shape[0], shape[1] = count_true(of, n), ndim
    coordinates_of_true = cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT64, 0)
    if shape[0]:
        width = cnp.PyArray_DIM(x, ndim - 1) if ndim else 1
        coordinates(<int64_t *>cnp.PyArray_DATA(coordinates_of_true), of, <Py_ssize_t *>cnp.PyArray_DIMS(x), ndim, n // width)
    return coordinates_of_true
