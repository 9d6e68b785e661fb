# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Distances between vectors by any norm."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from ..pool cimport share_out
from .arrays cimport data, elements, extent, into, is_real, share_of

from ..reference import distances as reference

cnp.import_array()

cdef extern from "distances.h" nogil:
    ctypedef void (*distance_loop)(char *out, const char *vector, const char *others, Py_ssize_t count,
                                   Py_ssize_t size, Py_ssize_t step, double p) noexcept
    ctypedef struct distances:
        const char *one
        const char *two
        char *out
        Py_ssize_t rows
        Py_ssize_t others
        Py_ssize_t size
        Py_ssize_t itemsize
        distance_loop run
        double p
        char *turned
    enum: LONGEST_TURNED, SIDE_BY_SIDE
    void turn_vectors(char *to, const char *x, Py_ssize_t batches, Py_ssize_t count, Py_ssize_t size,
                      Py_ssize_t itemsize) noexcept
    distance_loop sizes_f32, sizes_f64, squares_f32, squares_f64, largest_f32, largest_f64
    distance_loop differing_f32, differing_f64, powers_f32, powers_f64
    void distances_between(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void distances_within(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef extern from "distance_slopes.h" nogil:
    enum: SLOPES_OF_NOTHING, SLOPES_OF_SIZES, SLOPES_OF_SQUARES, SLOPES_OF_LARGEST, SLOPES_OF_POWERS
    ctypedef struct Slopes:
        int kind
        double p
        Py_ssize_t rows
        Py_ssize_t others
        Py_ssize_t size
        const void* one
        const void* two
        const void* grad
        const void* apart
        void* out
    void slopes_between_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void slopes_between_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void slopes_within_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void slopes_within_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept


cdef enum:
    FEW_ROWS = 4  # for which the others are not worth turning


cdef distance_loop loop_of(double p, int kind) noexcept:
    """The loop of a norm; NULL for other numbers than floats."""
    cdef bint is_double = kind == cnp.NPY_DOUBLE
    if not is_real(kind):
        return NULL
    if p == 1:
        return sizes_f64 if is_double else sizes_f32
    if p == 2:
        return squares_f64 if is_double else squares_f32
    if p == float("inf"):
        return largest_f64 if is_double else largest_f32
    if p == 0:
        return differing_f64 if is_double else differing_f32
    return powers_f64 if is_double else powers_f32


cdef int turn(distances *d, const char *x, Py_ssize_t batches, Py_ssize_t count) except -1:
    """Turn a copy of the others where that pays; the caller frees it."""
    d.turned = NULL
    if d.rows < FEW_ROWS or d.size > LONGEST_TURNED or d.run == powers_f32 or d.run == powers_f64:
        return 0
    cdef Py_ssize_t size = batches * count * d.size * d.itemsize
    d.turned = <char *>malloc(size + SIDE_BY_SIDE * d.itemsize)
    if d.turned == NULL:
        raise MemoryError("no memory to turn the vectors whose distances are asked for")
    memset(d.turned + size, 0, SIDE_BY_SIDE * d.itemsize)
    turn_vectors(d.turned, x, batches, count, d.size, d.itemsize)
    return 0


def between(cnp.ndarray out not None, cnp.ndarray one not None, cnp.ndarray two not None, double p):
    """out[b, i, j] is the distance of one[b, i] and two[b, j]."""
    cdef distances d
    cdef int kind = cnp.PyArray_TYPE(one)
    cdef Py_ssize_t batches = extent(one, 0)
    d.run, d.rows, d.others, d.size = loop_of(p, kind), extent(one, 1), extent(two, 1), extent(one, 2)
    if d.run == NULL:
        return reference.between(out, one, two, p)
    d.itemsize, d.p = cnp.PyArray_ITEMSIZE(one), p
    d.one = <char *>data(one, kind, elements(batches, d.rows, d.size))
    d.two = <char *>data(two, kind, elements(batches, d.others, d.size))
    d.out = <char *>into(out, kind, elements(batches, d.rows, d.others))
    turn(&d, d.two, batches, d.others)
    with nogil:
        share_out(batches * d.rows, share_of(d.others * d.size), distances_between, &d)
    free(d.turned)


def within(cnp.ndarray out not None, cnp.ndarray x not None, double p):
    """Distances of each row to those behind it, one row after the other."""
    cdef distances d
    cdef int kind = cnp.PyArray_TYPE(x)
    d.run, d.rows, d.size, d.itemsize = loop_of(p, kind), extent(x, 0), extent(x, 1), cnp.PyArray_ITEMSIZE(x)
    d.p = p
    if d.run == NULL:
        return reference.within(out, x, p)
    d.one = <char *>data(x, kind, elements(1, d.rows, d.size))
    d.out = <char *>into(out, kind, d.rows * (d.rows - 1) // 2)
    turn(&d, d.one, 1, d.rows)
    with nogil:
        share_out(d.rows, share_of(d.rows * d.size // 2), distances_within, &d)
    free(d.turned)


cdef bint has_slopes(Slopes* s, double p, int kind) noexcept:
    """Whether there is a loop for a norm, which is noted."""
    s.kind = (SLOPES_OF_NOTHING if p == 0 else SLOPES_OF_SIZES if p == 1 else SLOPES_OF_SQUARES if p == 2
              else SLOPES_OF_LARGEST if p == float("inf") else SLOPES_OF_POWERS)
    s.p = p
    return loop_of(p, kind) != NULL


def between_backward(cnp.ndarray grad_one not None, cnp.ndarray grad not None, cnp.ndarray one not None,
                     cnp.ndarray two not None, double p, cnp.ndarray apart not None):
    """The gradient of between() by its first vectors, from distances that are known."""
    cdef Slopes s
    cdef int kind = cnp.PyArray_TYPE(one)
    cdef Py_ssize_t batches = extent(one, 0)
    if not has_slopes(&s, p, kind):
        return reference.between_backward(grad_one, grad, one, two, p, apart)
    s.rows, s.others, s.size = extent(one, 1), extent(two, 1), extent(one, 2)
    s.one = data(one, kind, elements(batches, s.rows, s.size))
    s.two = data(two, kind, elements(batches, s.others, s.size))
    s.grad = data(grad, kind, elements(batches, s.rows, s.others))
    s.apart = data(apart, kind, elements(batches, s.rows, s.others))
    s.out = into(grad_one, kind, elements(batches, s.rows, s.size))
    with nogil:
        share_out(batches * s.rows, share_of(s.others * s.size),
                  slopes_between_f32 if kind == cnp.NPY_FLOAT else slopes_between_f64, &s)


def within_backward(cnp.ndarray grad_x not None, cnp.ndarray grad not None, cnp.ndarray x not None, double p,
                    cnp.ndarray apart not None):
    """The gradient of within(), from distances that are known."""
    cdef Slopes s
    cdef int kind = cnp.PyArray_TYPE(x)
    if not has_slopes(&s, p, kind):
        return reference.within_backward(grad_x, grad, x, p, apart)
    s.rows, s.size = extent(x, 0), extent(x, 1)
    s.one = data(x, kind, elements(1, s.rows, s.size))
    s.grad = data(grad, kind, s.rows * (s.rows - 1) // 2)
    s.apart = data(apart, kind, s.rows * (s.rows - 1) // 2)
    s.out = into(grad_x, kind, elements(1, s.rows, s.size))
    with nogil:
        share_out(s.rows, share_of(s.rows * s.size),
                  slopes_within_f32 if kind == cnp.NPY_FLOAT else slopes_within_f64, &s)
