# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers in a row: whole numbers and floats without gaps; the reference takes all others."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, into
from .walk cimport FLOAT16, NOT_HALF, half_kind

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
        int64_t first
        int64_t by
        const double *exponents
    void vectors_float32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void vectors_float64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void vectors_float16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void vectors_bfloat16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_uint8(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_int8(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_int16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_int32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_int64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_float32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_float64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_uint8(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_int8(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_int16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_int32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_int64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_float16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void between_bfloat16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void powers_of_base(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct triangle:
        int64_t *places
        Py_ssize_t columns
        Py_ssize_t offset
        Py_ssize_t count
        int lower
    Py_ssize_t positions_of(const triangle *t, Py_ssize_t rows) noexcept
    void write_positions(const triangle *t, Py_ssize_t rows) noexcept

ctypedef void (*part_of_range)(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil

cdef enum:
    WORK = 32_768  # elements, or vectors of them, that one thread takes at a time


cdef inline part_of_range of_whole(int kind, bint between) noexcept:
    """The loop over whole numbers of a type, from start to end or step by step; NULL where there is none."""
    if kind == cnp.NPY_INT64:
        return between_int64 if between else whole_int64
    if kind == cnp.NPY_INT32:
        return between_int32 if between else whole_int32
    if kind == cnp.NPY_INT16:
        return between_int16 if between else whole_int16
    if kind == cnp.NPY_INT8:
        return between_int8 if between else whole_int8
    if kind == cnp.NPY_UINT8:
        return between_uint8 if between else whole_uint8
    return NULL


cdef inline part_of_range of_floats(cnp.ndarray a, bint between) noexcept:
    """The loop over floats of a type, from start to end or step by step; NULL where there is none."""
    cdef int kind = cnp.PyArray_TYPE(a), half = half_kind(a)
    if kind == cnp.NPY_FLOAT:
        return between_float32 if between else vectors_float32
    if kind == cnp.NPY_DOUBLE:
        return between_float64 if between else vectors_float64
    if half == NOT_HALF:
        return NULL
    if half == FLOAT16:
        return between_float16 if between else vectors_float16
    return between_bfloat16 if between else vectors_bfloat16


def arange(out, start, step):
    """start, start + step, …, each computed on its own and not summed up."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a), lanes
    cdef part_of_range whole = of_whole(kind, False), floats = of_floats(a, False)
    cdef row_of_numbers r
    if not PyArray_ISCARRAY(a) or whole == NULL and floats == NULL:
        return reference.arange(out, start, step)
    r.out, r.n = into(a, kind, n), n
    if whole != NULL:
        r.first, r.by = int(start), int(step)
        share_out(n, WORK, whole, &r)
    else:
        r.start, r.step, lanes = start, step, VECTOR_BYTES // cnp.PyArray_ITEMSIZE(a)
        share_out((n + lanes - 1) // lanes, WORK // lanes, floats, &r)


def linspace(out, start, end):
    """Evenly spaced numbers, counted from both ends so that both are met exactly."""
    cdef cnp.ndarray a = <cnp.ndarray?>out
    cdef part_of_range whole = of_whole(cnp.PyArray_TYPE(a), True)
    cdef part_of_range loop = whole if whole != NULL else of_floats(a, True)
    cdef row_of_numbers r
    r.n = cnp.PyArray_SIZE(a)
    if r.n < 2 or not PyArray_ISCARRAY(a) or loop == NULL:
        reference.linspace(out, start, end)
    else:
        r.out, r.start, r.end = into(a, cnp.PyArray_TYPE(a), r.n), start, end
        share_out(r.n, WORK, loop, &r)


def powers(cnp.ndarray out not None, double base, cnp.ndarray exponents not None):
    """A number to the power of others, all in double precision."""
    cdef row_of_numbers r
    r.n, r.start = cnp.PyArray_SIZE(out), base
    r.out, r.exponents = into(out, cnp.NPY_DOUBLE, r.n), <double *>data(exponents, cnp.NPY_DOUBLE, r.n)
    with nogil:
        share_out(r.n, WORK // 16, powers_of_base, &r)


def triangle_positions(cnp.ndarray out not None, Py_ssize_t rows, Py_ssize_t columns, Py_ssize_t offset, bint lower):
    """The rows, then the columns, of the elements on a diagonal and below, or above, it: as many as ``out`` is for."""
    cdef triangle t
    t.count, t.columns, t.offset, t.lower = cnp.PyArray_SIZE(out) // 2, columns, offset, lower
    t.places = <int64_t *>into(out, cnp.NPY_INT64, 2 * t.count)
    if positions_of(&t, rows) != t.count:
        raise ValueError(f"kernel wants room for all positions, got {t.count}")
    write_positions(&t, rows)
