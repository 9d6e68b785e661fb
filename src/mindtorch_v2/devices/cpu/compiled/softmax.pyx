# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Softmax, log-softmax and their derivatives over the middle axis of (outer, dim, inner)."""
cimport numpy as cnp
from .arrays cimport data, elements, into, is_real

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "softmax.h" nogil:
    void softmax_any(bint, void*, void*, Py_ssize_t, Py_ssize_t, Py_ssize_t, int)
    void softmax_backward_any(bint, void*, void*, void*, Py_ssize_t, Py_ssize_t, Py_ssize_t, int)


cdef int forward(cnp.ndarray out, cnp.ndarray x, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner,
                 int logarithm) except -1:
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return 0
    cdef Py_ssize_t size = elements(outer, dim, inner)
    cdef void* to = into(out, kind, size)
    cdef void* of = data(x, kind, size)
    softmax_any(kind == cnp.NPY_FLOAT, to, of, outer, dim, inner, logarithm)
    return 1


cdef int backward(cnp.ndarray grad_in, cnp.ndarray grad_out, cnp.ndarray y, Py_ssize_t outer, Py_ssize_t dim,
                  Py_ssize_t inner, int logarithm) except -1:
    cdef int kind = cnp.PyArray_TYPE(y)
    if not is_real(kind):
        return 0
    cdef Py_ssize_t size = elements(outer, dim, inner)
    cdef void* to = into(grad_in, kind, size)
    cdef void* g = data(grad_out, kind, size)
    cdef void* of = data(y, kind, size)
    softmax_backward_any(kind == cnp.NPY_FLOAT, to, g, of, outer, dim, inner, logarithm)
    return 1


def softmax(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """exp(x) over its sum along dim."""
    if not forward(out, x, outer, dim, inner, 0):
        in_float32(softmax, 1, out, x, outer, dim, inner)


def log_softmax(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """x minus the log of the sum of exp(x) along dim."""
    if not forward(out, x, outer, dim, inner, 1):
        in_float32(log_softmax, 1, out, x, outer, dim, inner)


def softmax_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray y not None,
                     Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """Derivative of softmax, from its result y."""
    if not backward(grad_in, grad_out, y, outer, dim, inner, 0):
        in_float32(softmax_backward, 1, grad_in, grad_out, y, outer, dim, inner)


def log_softmax_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray y not None,
                         Py_ssize_t outer, Py_ssize_t dim, Py_ssize_t inner):
    """Derivative of log-softmax, from its result y."""
    if not backward(grad_in, grad_out, y, outer, dim, inner, 1):
        in_float32(log_softmax_backward, 1, grad_in, grad_out, y, outer, dim, inner)
