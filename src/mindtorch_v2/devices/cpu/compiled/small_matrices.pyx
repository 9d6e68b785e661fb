# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Decompositions of many small matrices and what is solved by them.

A batch of matrices comes by columns: (batch, columns, rows) in C order.
"""
cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, extent, into, is_real

cnp.import_array()

cdef extern from "small_matrices.h" nogil:
    ctypedef struct Batch:
        Py_ssize_t m, n, k
        void* matrices
        void* others
        int32_t* pivots
        int32_t* info
        int flag
    void lu_factors_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void lu_factors_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void lu_solutions_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void lu_solutions_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void cholesky_factors_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void cholesky_factors_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 1 << 16  # multiplications, or so, that one thread takes at a time


cdef int begin(Batch* b, cnp.ndarray matrices) except -1:
    cdef int kind = cnp.PyArray_TYPE(matrices)
    if not is_real(kind):
        raise TypeError(f"small_matrices: float32 or float64 wanted, got {matrices.dtype}")
    b.m, b.n, b.k, b.flag = extent(matrices, 2), extent(matrices, 1), 0, 0
    b.pivots = b.info = NULL
    b.others = NULL
    b.matrices = data(matrices, kind, elements(extent(matrices, 0), b.n, b.m))
    return 0


cdef inline Py_ssize_t chunk_of(Batch* b) noexcept nogil:
    """How many matrices one thread takes at a time."""
    return WORK // (b.m * b.n * (b.n + b.k) + 1) + 1


def lu_factor(cnp.ndarray matrices not None, cnp.ndarray pivots not None, cnp.ndarray info not None):
    """Both triangles in the place of each matrix; pivots count rows from 1; info is the first zero of the diagonal."""
    cdef Batch b
    cdef Py_ssize_t count = extent(matrices, 0)
    begin(&b, matrices)
    cdef bint single = cnp.PyArray_TYPE(matrices) == cnp.NPY_FLOAT
    into(matrices, cnp.PyArray_TYPE(matrices), count * b.m * b.n)
    b.pivots = <int32_t*>into(pivots, cnp.NPY_INT32, count * min(b.m, b.n))
    b.info = <int32_t*>into(info, cnp.NPY_INT32, count)
    with nogil:
        share_out(count, chunk_of(&b), lu_factors_f32 if single else lu_factors_f64, &b)


def lu_solve(cnp.ndarray solutions not None, cnp.ndarray matrices not None, cnp.ndarray pivots not None, bint turned):
    """Right-hand sides (batch, columns, rows), in their place, of AX = B or, turned, of A'X = B."""
    cdef Batch b
    cdef Py_ssize_t count = extent(matrices, 0), i
    begin(&b, matrices)
    cdef bint single = cnp.PyArray_TYPE(matrices) == cnp.NPY_FLOAT
    b.k, b.flag = extent(solutions, 1), turned
    if b.m != b.n or extent(solutions, 2) != b.n or extent(solutions, 0) != count:
        raise ValueError(f"lu_solve: {(<object>matrices).shape} does not fit {(<object>solutions).shape}")
    b.others = into(solutions, cnp.PyArray_TYPE(matrices), count * b.n * b.k)
    b.pivots = <int32_t*>data(pivots, cnp.NPY_INT32, count * b.n)
    for i in range(count * b.n):
        if not 1 <= b.pivots[i] <= b.n:
            raise ValueError(f"lu_solve: row {b.pivots[i]} of {b.n} cannot be exchanged")
    with nogil:
        share_out(count, chunk_of(&b), lu_solutions_f32 if single else lu_solutions_f64, &b)


def cholesky(cnp.ndarray matrices not None, cnp.ndarray info not None, bint upper):
    """The triangle of each matrix, in its place; info is 0, or the order of the minor that is not positive."""
    cdef Batch b
    cdef Py_ssize_t count = extent(matrices, 0)
    begin(&b, matrices)
    cdef bint single = cnp.PyArray_TYPE(matrices) == cnp.NPY_FLOAT
    if b.m != b.n:
        raise ValueError(f"cholesky: square matrices wanted, got {(<object>matrices).shape}")
    into(matrices, cnp.PyArray_TYPE(matrices), count * b.n * b.n)
    b.info, b.flag = <int32_t*>into(info, cnp.NPY_INT32, count), upper
    with nogil:
        share_out(count, chunk_of(&b), cholesky_factors_f32 if single else cholesky_factors_f64, &b)


def exchange_rows(cnp.ndarray order not None, cnp.ndarray pivots not None):
    """In lists (batch, rows) of numbers, exchanges made one after the other: each row with that of its pivot."""
    cdef Py_ssize_t count = extent(order, 0), rows = extent(order, 1), swaps = extent(pivots, 1), i, j
    cdef int64_t* numbers = <int64_t*>into(order, cnp.NPY_INT64, count * rows)
    cdef int32_t* pivot = <int32_t*>data(pivots, cnp.NPY_INT32, count * swaps)
    cdef int64_t kept
    if swaps > rows:
        raise ValueError(f"exchange_rows: {swaps} exchanges of {rows} rows")
    for i in range(count * swaps):
        if not 1 <= pivot[i] <= rows:
            raise ValueError(f"exchange_rows: row {pivot[i]} of {rows} cannot be exchanged")
    for i in range(count):
        for j in range(swaps):
            kept = numbers[i * rows + j]
            numbers[i * rows + j] = numbers[i * rows + pivot[i * swaps + j] - 1]
            numbers[i * rows + pivot[i * swaps + j] - 1] = kept
