# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers in a row: int64 and floats without gaps; the reference takes all others."""
cimport numpy as cnp
from libc.math cimport fma, fmaf
from libc.stdint cimport int64_t
from .arrays cimport into

from ..reference import ranges as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISCARRAY(cnp.ndarray a)

cdef enum:
    VECTOR_BYTES = 32  # torch computes floating-point ranges in vectors of so many bytes

ctypedef fused real:
    float
    double


cdef void in_vectors(real *out, Py_ssize_t n, double start, double step) noexcept nogil:
    """start + i * step; torch rounds at the head of each vector, but for what does not fill two of them."""
    cdef Py_ssize_t lanes = VECTOR_BYTES // sizeof(real), i, lane
    cdef Py_ssize_t whole = n - n % (2 * lanes)
    for i in range(n):
        lane = i % lanes if i < whole else 0
        out[i] = <real>fma(<double>(i - lane), step, start)
        if i < whole:
            out[i] = <real>fma(<double>lane, step, <double>out[i])


cdef inline real fused(real a, real b, real c) noexcept nogil:
    if real is float:
        return fmaf(a, b, c)
    else:
        return fma(a, b, c)


cdef void from_both_ends(real *out, Py_ssize_t n, real start, real end) noexcept nogil:
    cdef real step = (end - start) / <real>(n - 1)
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = fused(<real>i, step, start) if i < n // 2 else fused(<real>(n - 1 - i), -step, end)


def arange(out, start, step):
    """start, start + step, …, each computed on its own and not summed up."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a), i
    cdef int64_t first, by
    cdef int64_t *whole
    if not PyArray_ISCARRAY(a) or kind not in (cnp.NPY_INT64, cnp.NPY_FLOAT, cnp.NPY_DOUBLE):
        reference.arange(out, start, step)
    elif kind == cnp.NPY_INT64:
        whole, first, by = <int64_t *>into(a, kind, n), int(start), int(step)
        for i in range(n):
            whole[i] = first + i * by
    elif kind == cnp.NPY_FLOAT:
        in_vectors[float](<float *>into(a, kind, n), n, start, step)
    else:
        in_vectors[double](<double *>into(a, kind, n), n, start, step)


def linspace(out, start, end):
    """Evenly spaced numbers, counted from both ends so that both are met exactly."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a)
    if n < 2 or not PyArray_ISCARRAY(a) or kind not in (cnp.NPY_FLOAT, cnp.NPY_DOUBLE):
        reference.linspace(out, start, end)
    elif kind == cnp.NPY_FLOAT:
        from_both_ends[float](<float *>into(a, kind, n), n, start, end)
    else:
        from_both_ends[double](<double *>into(a, kind, n), n, start, end)
