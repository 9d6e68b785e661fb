# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The places of elements in order, within the rows of a contiguous array."""
cimport numpy as cnp
from libc.stdint cimport UINT32_MAX, int64_t
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport data, elements, into

from ..reference import ordering as reference

cnp.import_array()

cdef extern from "ordering.h" nogil:
    enum: OF_F32, OF_F64, OF_I32, OF_I64
    ctypedef struct ordering:
        const char *x
        int64_t *order
        Py_ssize_t n
        Py_ssize_t k
        int kind
        int is_descending
        int has_failed
    const Py_ssize_t* item_sizes
    void order_rows(const ordering *o, Py_ssize_t begin, Py_ssize_t end, void *memory) noexcept

cdef enum:
    WORK = 16_384  # elements that one thread takes at a time


cdef void order_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef ordering *o = <ordering *>job
    cdef void *memory = malloc(2 * o.n * item_sizes[o.kind])
    if memory == NULL:
        o.has_failed = True
        return
    order_rows(o, begin, end, memory)
    free(memory)


def first_places(cnp.ndarray order not None, cnp.ndarray x not None, Py_ssize_t rows, Py_ssize_t n, Py_ssize_t k,
                 bint descending):
    """order[i] = the places of the first k elements of the row x[i] in order; NaN is the largest."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef ordering o
    o.kind = (OF_F32 if kind == cnp.NPY_FLOAT else OF_F64 if kind == cnp.NPY_DOUBLE else OF_I32
              if kind == cnp.NPY_INT32 else OF_I64 if kind == cnp.NPY_INT64 else -1)
    if o.kind < 0 or n > UINT32_MAX:
        return reference.first_places(order, x, rows, n, k, descending)
    if not 0 <= k <= n:
        raise ValueError(f"kernel wants at most as many places as there are elements, got {k} of {n}")
    o.x = <char *>data(x, kind, elements(rows, n, 1))
    o.order = <int64_t *>into(order, cnp.NPY_INT64, elements(rows, k, 1))
    o.n, o.k, o.is_descending, o.has_failed = n, k, descending, False
    if rows == 0 or k == 0:
        return
    with nogil:
        share_out(rows, 1 if n >= WORK else WORK // n, order_part, &o)
    if o.has_failed:
        raise MemoryError("no memory left to sort a row")
