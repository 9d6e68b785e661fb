# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows of a table put together in bags."""
cimport numpy as cnp
from libc.stdint cimport uint16_t
from ..pool cimport share_out
from .arrays cimport data, data_or_null, elements, extent, into, is_real
from .walk cimport BFLOAT16, NOT_HALF, half_kind

cnp.import_array()

cdef extern from "embedding_bag.h" nogil:
    ctypedef struct Bags:
        void *out
        const char *table
        const cnp.int64_t *index
        const cnp.int64_t *bounds
        const void *scale
        Py_ssize_t cols, itemsize
        bint is_double
        int half
    void sum_bags(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void add_bfloat16_rows(uint16_t*, const uint16_t*, const cnp.int64_t*, const cnp.int64_t*, const uint16_t*,
                           Py_ssize_t, Py_ssize_t) noexcept
    void add_float16_rows(uint16_t*, const uint16_t*, const cnp.int64_t*, const cnp.int64_t*, const uint16_t*,
                          Py_ssize_t, Py_ssize_t) noexcept

cdef enum:
    WORK = 32_768  # elements that one thread takes at a time

ctypedef fused real:
    float
    double


cdef Py_ssize_t outside(cnp.int64_t* index, Py_ssize_t count, Py_ssize_t rows) noexcept nogil:
    """The place of the first index that is none of the rows, or -1."""
    cdef Py_ssize_t i
    for i in range(count):
        if index[i] < 0 or index[i] >= rows:
            return i
    return -1


cdef cnp.int64_t* checked(cnp.ndarray index, Py_ssize_t rows) except? NULL:
    """The memory of indices, each of which names a row."""
    cdef Py_ssize_t count = cnp.PyArray_SIZE(index), bad
    cdef cnp.int64_t* at = <cnp.int64_t*>data(index, cnp.NPY_INT64, count)
    bad = outside(at, count, rows)
    if bad >= 0:
        raise IndexError(f"index {at[bad]} is out of range of {rows} rows")
    return at


cdef cnp.int64_t* rising(cnp.ndarray bounds, Py_ssize_t last) except? NULL:
    """The memory of bounds that never fall, from 0 at least to `last` at most."""
    cdef Py_ssize_t count = cnp.PyArray_SIZE(bounds), i
    cdef cnp.int64_t* at = <cnp.int64_t*>data(bounds, cnp.NPY_INT64, count)
    cdef cnp.int64_t before = 0
    for i in range(count):
        if not before <= at[i] <= last:
            raise IndexError(f"bags from {before} to {at[i]} of {last} rows")
        before = at[i]
    return at


def sum_of_bags(cnp.ndarray out not None, cnp.ndarray table not None, cnp.ndarray indices not None,
                cnp.ndarray bounds not None, scales):
    """out[b] = the sum of scales[i] * table[indices[i]] over i from bounds[b] to bounds[b + 1]; halves are added up in
    float32, and their scales are floats. Without scales, they are ones."""
    cdef int kind = cnp.PyArray_TYPE(out)
    cdef Bags b
    b.half, b.is_double, b.itemsize = half_kind(out), kind == cnp.NPY_DOUBLE, cnp.PyArray_ITEMSIZE(out)
    if not is_real(kind) and b.half == NOT_HALF:
        raise TypeError(f"sum_of_bags: floating numbers wanted, got {out.dtype}")
    cdef Py_ssize_t bags = extent(out, 0), count = cnp.PyArray_SIZE(indices)
    b.cols = extent(out, 1)
    b.out = into(out, kind, elements(bags, b.cols, 1))
    b.table = <char*>data(table, kind, elements(extent(table, 0), b.cols, 1))
    b.index, b.bounds = checked(indices, extent(table, 0)), rising(bounds, count)
    if cnp.PyArray_SIZE(bounds) != bags + 1:
        raise ValueError("sum_of_bags: a bound more than there are bags wanted")
    b.scale = data_or_null(scales, kind if b.half == NOT_HALF else cnp.NPY_FLOAT, count)
    with nogil:
        share_out(bags, WORK // ((count // (bags + 1) + 1) * (b.cols + 1)) + 1, sum_bags, &b)


cdef void add_loop(real* sums, real* table, cnp.int64_t* index, cnp.int64_t* bag, real* scale, Py_ssize_t count,
                   Py_ssize_t cols) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef real factor
    cdef real* to
    cdef real* row
    for i in range(count):
        to, row = sums + bag[i] * cols, table + index[i] * cols
        if scale == NULL:
            for j in range(cols):
                to[j] += row[j]
        else:
            factor = scale[i]
            for j in range(cols):
                to[j] += factor * row[j]


def add_rows_to_bags(cnp.ndarray sums not None, cnp.ndarray table not None, cnp.ndarray indices not None,
                     cnp.ndarray bags not None, scales):
    """sums[bags[i]] += scales[i] * table[indices[i]], over rows; without scales, they are ones. Halves are rounded each
    time."""
    cdef int kind = cnp.PyArray_TYPE(sums), half = half_kind(sums)
    if not is_real(kind) and half == NOT_HALF:
        raise TypeError(f"add_rows_to_bags: floating numbers wanted, got {sums.dtype}")
    cdef Py_ssize_t cols = extent(sums, 1), count = cnp.PyArray_SIZE(indices)
    cdef void* to = into(sums, kind, elements(extent(sums, 0), cols, 1))
    cdef void* rows = data(table, kind, elements(extent(table, 0), cols, 1))
    cdef cnp.int64_t* index = checked(indices, extent(table, 0))
    cdef cnp.int64_t* bag = checked(bags, extent(sums, 0))
    if cnp.PyArray_SIZE(bags) != count:
        raise ValueError("add_rows_to_bags: as many bags as indices wanted")
    cdef void* scale = data_or_null(scales, kind, count)
    if half != NOT_HALF:
        (add_bfloat16_rows if half == BFLOAT16 else add_float16_rows)(
            <uint16_t*>to, <uint16_t*>rows, index, bag, <uint16_t*>scale, count, cols)
    elif kind == cnp.NPY_FLOAT:
        add_loop(<float*>to, <float*>rows, index, bag, <float*>scale, count, cols)
    else:
        add_loop(<double*>to, <double*>rows, index, bag, <double*>scale, count, cols)


cdef void largest_loop(real* largest, cnp.int64_t* where, real* table, cnp.int64_t* index, cnp.int64_t* name,
                       cnp.int64_t* bag, char* begun, Py_ssize_t count, Py_ssize_t cols) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef bint first
    cdef real* to
    cdef real* row
    for i in range(count):
        to, row, first = largest + bag[i] * cols, table + index[i] * cols, not begun[bag[i]]
        begun[bag[i]] = 1
        for j in range(cols):
            if first or row[j] > to[j]:
                to[j] = row[j]
                where[bag[i] * cols + j] = name[i]


def largest_of_bags(cnp.ndarray largest not None, cnp.ndarray where not None, cnp.ndarray table not None,
                    cnp.ndarray indices not None, cnp.ndarray named not None, cnp.ndarray bags not None):
    """The largest element of each column in a bag of rows, and the name of its row; zeros stay where a bag is empty."""
    cdef int kind = cnp.PyArray_TYPE(largest)
    if not is_real(kind):
        raise TypeError(f"largest_of_bags: float32 or float64 wanted, got {largest.dtype}")
    cdef Py_ssize_t cols = extent(largest, 1), count = cnp.PyArray_SIZE(indices)
    cdef Py_ssize_t size = elements(extent(largest, 0), cols, 1)
    cdef void* to = into(largest, kind, size)
    cdef cnp.int64_t* at = <cnp.int64_t*>into(where, cnp.NPY_INT64, size)
    cdef void* rows = data(table, kind, elements(extent(table, 0), cols, 1))
    cdef cnp.int64_t* index = checked(indices, extent(table, 0))
    cdef cnp.int64_t* bag = checked(bags, extent(largest, 0))
    cdef cnp.int64_t* name = <cnp.int64_t*>data(named, cnp.NPY_INT64, count)
    if cnp.PyArray_SIZE(bags) != count:
        raise ValueError("largest_of_bags: as many bags as indices wanted")
    begun = bytearray(extent(largest, 0) + 1)
    cdef char* seen = begun
    if kind == cnp.NPY_FLOAT:
        largest_loop(<float*>to, at, <float*>rows, index, name, bag, seen, count, cols)
    else:
        largest_loop(<double*>to, at, <double*>rows, index, name, bag, seen, count, cols)
