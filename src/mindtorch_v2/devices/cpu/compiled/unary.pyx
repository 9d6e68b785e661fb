# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One number in, one out: roots and reciprocals of contiguous float32 and float64 arrays."""
cimport numpy as cnp
from libc.math cimport sqrt as sqrt64
from libc.math cimport sqrtf as sqrt32
from .arrays cimport data, into, is_real

from ..reference import unary as reference

cnp.import_array()

ctypedef fused real:
    float
    double

cdef enum:
    SQRT, RSQRT, RECIPROCAL, NEG


cdef inline real root(real x) noexcept nogil:
    return sqrt32(x) if real is float else sqrt64(x)


cdef void loop(int what, real *out, real *x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if what == SQRT:
        for i in range(n):
            out[i] = root(x[i])
    elif what == RSQRT:
        for i in range(n):
            out[i] = 1 / root(x[i])
    elif what == RECIPROCAL:
        for i in range(n):
            out[i] = 1 / x[i]
    else:
        for i in range(n):
            out[i] = -x[i]


cdef bint run(int what, cnp.ndarray out, cnp.ndarray x) except -1:
    """Runs the loop of this dtype; False if there is none, and NumPy has to do it."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return False
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x)
    cdef void *to = into(out, kind, n)
    cdef void *of = data(x, kind, n)
    if kind == cnp.NPY_FLOAT:
        loop[float](what, <float *>to, <float *>of, n)
    else:
        loop[double](what, <double *>to, <double *>of, n)
    return True


def sqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """The square root."""
    if not run(SQRT, out, x):
        reference.sqrt(out, x)


def rsqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over the square root."""
    if not run(RSQRT, out, x):
        reference.rsqrt(out, x)


def reciprocal(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over x."""
    if not run(RECIPROCAL, out, x):
        reference.reciprocal(out, x)


def neg(cnp.ndarray out not None, cnp.ndarray x not None):
    """Minus x."""
    if not run(NEG, out, x):
        reference.neg(out, x)
