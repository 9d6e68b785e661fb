# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers in a row: int64 and floats without gaps; the reference takes all others."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, into

from ..reference import ranges as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISCARRAY(cnp.ndarray a)

cdef extern from "ranges.h" nogil:
    enum: VECTOR_BYTES
    ctypedef struct row_of_numbers:
        void *out
        Py_ssize_t n
        double start
        double step
        double end
        const double *exponents
    void vectors_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void vectors_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void powers_of_base(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 32_768  # elements, or vectors of them, that one thread takes at a time


def arange(out, start, step):
    """start, start + step, …, each computed on its own and not summed up."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a), i
    cdef int64_t first, by
    cdef int64_t *whole
    cdef row_of_numbers r
    if not PyArray_ISCARRAY(a) or kind not in (cnp.NPY_INT64, cnp.NPY_FLOAT, cnp.NPY_DOUBLE):
        reference.arange(out, start, step)
    elif kind == cnp.NPY_INT64:
        whole, first, by = <int64_t *>into(a, kind, n), int(start), int(step)
        for i in range(n):
            whole[i] = first + i * by
    else:
        r.out, r.n, r.start, r.step = into(a, kind, n), n, start, step
        i = VECTOR_BYTES // cnp.PyArray_ITEMSIZE(a)
        share_out((n + i - 1) // i, WORK // i, vectors_f32 if kind == cnp.NPY_FLOAT else vectors_f64, &r)


def linspace(out, start, end):
    """Evenly spaced numbers, counted from both ends so that both are met exactly."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef row_of_numbers r
    r.n = cnp.PyArray_SIZE(a)
    if r.n < 2 or not PyArray_ISCARRAY(a) or kind not in (cnp.NPY_FLOAT, cnp.NPY_DOUBLE):
        reference.linspace(out, start, end)
    else:
        r.out, r.start, r.end = into(a, kind, r.n), start, end
        share_out(r.n, WORK, between_f32 if kind == cnp.NPY_FLOAT else between_f64, &r)


def powers(cnp.ndarray out not None, double base, cnp.ndarray exponents not None):
    """A number to the power of others, all in double precision."""
    cdef row_of_numbers r
    r.n, r.start = cnp.PyArray_SIZE(out), base
    r.out, r.exponents = into(out, cnp.NPY_DOUBLE, r.n), <double *>data(exponents, cnp.NPY_DOUBLE, r.n)
    with nogil:
        share_out(r.n, WORK // 16, powers_of_base, &r)


def triangle_positions(cnp.ndarray out not None, Py_ssize_t rows, Py_ssize_t columns, Py_ssize_t offset, bint lower):
    """The rows, then the columns, of the elements on a diagonal and below, or above, it: as many as ``out`` is for."""
    cdef Py_ssize_t count = cnp.PyArray_SIZE(out) // 2, at = 0, i, j, first, last
    cdef int64_t *places = <int64_t *>into(out, cnp.NPY_INT64, 2 * count)
    for i in range(rows):
        first = 0 if lower else max(min(i + offset, columns), 0)
        last = max(min(i + offset + 1, columns), 0) if lower else columns
        if last - first > count - at:
            break
        for j in range(first, last):
            places[at], places[count + at] = i, j
            at += 1
    else:
        if at == count:
            return
    raise ValueError(f"kernel wants room for all positions, got {count}")
