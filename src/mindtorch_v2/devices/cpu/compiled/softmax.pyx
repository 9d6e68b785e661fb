# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Softmax, log-softmax and their derivatives over the middle axis of (outer, dim, inner)."""
cimport numpy as cnp
from ..pool cimport share_out, stretch
from .arrays cimport data, data_or_null, elements, into, is_real
from .walk cimport NOT_HALF, half_kind

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "half_softmax.h" nogil:
    ctypedef struct SoftmaxJob:
        int single, logarithm
        void *out
        void *x
        void *y
        Py_ssize_t dim, inner
    Py_ssize_t tiles_of(const SoftmaxJob *job)
    ctypedef struct HalfSoftmax:
        SoftmaxJob of_ "of"
        int half, lacks_memory
    void softmax_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void half_softmax_pieces(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 16_384  # elements that one thread takes at a time


cdef int run(cnp.ndarray out, cnp.ndarray x, object y, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner,
             int logarithm) except -1:
    """0 if there is no loop for this dtype. y is the result in backward, else None."""
    cdef int kind = cnp.PyArray_TYPE(x), half = half_kind(x)
    if not is_real(kind) and (half == NOT_HALF or cnp.PyArray_TYPE(out) != kind
                              or y is not None and cnp.PyArray_TYPE(<cnp.ndarray?>y) != kind):
        return 0
    cdef Py_ssize_t size = elements(outer, dim, inner)
    cdef HalfSoftmax halves
    cdef SoftmaxJob* job = &halves.of_
    cdef stretch pieces_of_it = softmax_pieces if half == NOT_HALF else half_softmax_pieces
    halves.half, halves.lacks_memory = half, 0
    job.single, job.logarithm, job.dim, job.inner = kind == cnp.NPY_FLOAT, logarithm, dim, inner
    job.out, job.x, job.y = into(out, kind, size), data(x, kind, size), data_or_null(y, kind, size)
    cdef Py_ssize_t pieces = outer if inner == 1 else outer * tiles_of(job)
    if size <= WORK and size:
        pieces_of_it(&halves, 0, pieces)
    elif size:
        with nogil:
            share_out(pieces, WORK * pieces // size + 1, pieces_of_it, &halves)
    if halves.lacks_memory:
        raise MemoryError
    return 1


def softmax(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """exp(x) over its sum along dim."""
    if not run(out, x, None, outer, dim, inner, 0):
        in_float32(softmax, 1, out, x, outer, dim, inner)


def log_softmax(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """x minus the log of the sum of exp(x) along dim."""
    if not run(out, x, None, outer, dim, inner, 1):
        in_float32(log_softmax, 1, out, x, outer, dim, inner)


def softmax_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray y not None,
                     Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """Derivative of softmax, from its result y."""
    if not run(grad_in, grad_out, y, outer, dim, inner, 0):
        in_float32(softmax_backward, 1, grad_in, grad_out, y, outer, dim, inner)


def log_softmax_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray y not None,
                         Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """Derivative of log-softmax, from its result y."""
    if not run(grad_in, grad_out, y, outer, dim, inner, 1):
        in_float32(log_softmax_backward, 1, grad_in, grad_out, y, outer, dim, inner)
