# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums over one run of dimensions of a contiguous array, accumulated in double precision."""
cimport numpy as cnp
from libc.math cimport sqrt
from .arrays cimport data, elements, into, is_real

from ..reference import sums as reference

cnp.import_array()

ctypedef fused real:
    float
    double


cdef void loop(real *out, real *x, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner) noexcept nogil:
    cdef Py_ssize_t i, j, k
    cdef double a, b, c, d
    cdef real *row
    if inner == 1:
        for i in range(outer):
            row = x + i * n
            a = b = c = d = 0
            j = 0
            while j + 4 <= n:
                a += row[j]
                b += row[j + 1]
                c += row[j + 2]
                d += row[j + 3]
                j += 4
            while j < n:
                a += row[j]
                j += 1
            out[i] = <real>((a + b) + (c + d))
        return
    for i in range(outer):
        for k in range(inner):
            a = 0
            row = x + i * n * inner + k
            for j in range(n):
                a += row[j * inner]
            out[i * inner + k] = <real>a


def total(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner):
    """out[i, k] = the sum over j of x[i, j, k], for x seen as (outer, n, inner)."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return reference.total(out, x, outer, n, inner)
    cdef void *of = data(x, kind, elements(outer, n, inner))
    cdef void *to = into(out, kind, elements(outer, 1, inner))
    if kind == cnp.NPY_FLOAT:
        loop[float](<float *>to, <float *>of, outer, n, inner)
    else:
        loop[double](<double *>to, <double *>of, outer, n, inner)


cdef double squares(real *x, Py_ssize_t n) noexcept nogil:
    cdef double a = 0, b = 0
    cdef Py_ssize_t i = 0
    while i + 2 <= n:
        a += <double>x[i] * x[i]
        b += <double>x[i + 1] * x[i + 1]
        i += 2
    if i < n:
        a += <double>x[i] * x[i]
    return a + b


def root_of_squares(cnp.ndarray x not None):
    """The Euclidean norm of all elements."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x)
    if kind == cnp.NPY_FLOAT:
        return sqrt(squares[float](<float *>data(x, kind, n), n))
    if kind == cnp.NPY_DOUBLE:
        return sqrt(squares[double](<double *>data(x, kind, n), n))
    return reference.root_of_squares(x)
