# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Products of matrices that are kept row by row, and what two lists of places have in common."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out
from .arrays cimport data, elements, extent, into, is_real, share_of
from .matrices cimport lie_apart

import numpy as np

cnp.import_array()

cdef extern from "sparse_rows.h" nogil:
    ctypedef struct SparseRows:
        const int64_t* starts
        const int64_t* columns
        const void* values
    ctypedef struct DenseProduct:
        SparseRows sparse
        Py_ssize_t n
        const void* dense
        const void* other
        void* out
        double alpha
    ctypedef struct SparseProduct:
        SparseRows a, b, out
        Py_ssize_t columns
        int64_t* counts
        bint is_out_of_memory
    void count_product_rows(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    Py_ssize_t common_places(int64_t* in_first, int64_t* in_second, const int64_t* first, Py_ssize_t n,
                             const int64_t* second, Py_ssize_t m) noexcept
    void rows_by_dense_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void rows_by_dense_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void sampled_rows_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void sampled_rows_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void product_rows_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void product_rows_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept


cdef int take(SparseRows* rows, cnp.ndarray starts, cnp.ndarray columns, object values, int kind,
              Py_ssize_t width) except -1:
    """A matrix of so many columns, whose lists lead nowhere else."""
    cdef Py_ssize_t count = cnp.PyArray_SIZE(starts) - 1, nnz = cnp.PyArray_SIZE(columns), i
    rows.starts = <int64_t*>data(starts, cnp.NPY_INT64, count + 1)
    rows.columns = <int64_t*>data(columns, cnp.NPY_INT64, nnz)
    rows.values = NULL if values is None else data(<cnp.ndarray?>values, kind, nnz)
    if count < 0 or rows.starts[0] != 0 or rows.starts[count] != nnz:
        raise ValueError(f"rows have to begin at 0 and to end at {nnz}")
    for i in range(count):
        if rows.starts[i] > rows.starts[i + 1]:
            raise ValueError(f"row {i} begins at {rows.starts[i]} and ends at {rows.starts[i + 1]}")
    for i in range(nnz):
        if not 0 <= rows.columns[i] < width:
            raise ValueError(f"column {rows.columns[i]} of {width}")
    return 0


cdef int real_kind(cnp.ndarray values) except -1:
    if not is_real(cnp.PyArray_TYPE(values)):
        raise TypeError(f"float32 or float64 wanted, got {values.dtype}")
    return cnp.PyArray_TYPE(values)


def add_rows_by_dense(cnp.ndarray out not None, cnp.ndarray starts not None, cnp.ndarray columns not None,
                      cnp.ndarray values not None, cnp.ndarray dense not None, double alpha):
    """out += alpha * (sparse @ dense)."""
    cdef DenseProduct d
    cdef int kind = real_kind(out)
    cdef Py_ssize_t rows = extent(out, 0), inner = extent(dense, 0)
    d.n, d.alpha = extent(out, 1), alpha
    take(&d.sparse, starts, columns, values, kind, inner)
    if cnp.PyArray_SIZE(starts) != rows + 1:
        raise ValueError(f"{cnp.PyArray_SIZE(starts) - 1} rows do not fit {(<object>out).shape}")
    d.out = into(out, kind, elements(rows, d.n, 1))
    d.dense = data(dense, kind, elements(inner, d.n, 1))
    if not lie_apart(out, dense) or not lie_apart(out, values):
        raise ValueError("the result of a product lies in what is multiplied")
    with nogil:
        share_out(rows, share_of(cnp.PyArray_SIZE(values) * d.n // (rows + 1)),
                  rows_by_dense_f32 if kind == cnp.NPY_FLOAT else rows_by_dense_f64, &d)


def sampled_rows(cnp.ndarray out not None, cnp.ndarray starts not None, cnp.ndarray columns not None,
                 cnp.ndarray left not None, cnp.ndarray right not None):
    """Dot products of rows of two matrices, at the places of a sparse one."""
    cdef DenseProduct d
    cdef int kind = real_kind(out)
    cdef Py_ssize_t rows = extent(left, 0), others = extent(right, 0)
    d.n = extent(left, 1)
    take(&d.sparse, starts, columns, None, kind, others)
    if cnp.PyArray_SIZE(starts) != rows + 1:
        raise ValueError(f"{cnp.PyArray_SIZE(starts) - 1} rows do not fit {(<object>left).shape}")
    d.out = into(out, kind, cnp.PyArray_SIZE(columns))
    d.dense, d.other = data(left, kind, elements(rows, d.n, 1)), data(right, kind, elements(others, d.n, 1))
    if not lie_apart(out, left) or not lie_apart(out, right):
        raise ValueError("the result of a product lies in what is multiplied")
    with nogil:
        share_out(rows, share_of(cnp.PyArray_SIZE(columns) * d.n // (rows + 1)),
                  sampled_rows_f32 if kind == cnp.NPY_FLOAT else sampled_rows_f64, &d)


cdef int take_factors(SparseProduct* s, cnp.ndarray a_starts, cnp.ndarray a_columns, object a_values,
                      cnp.ndarray b_starts, cnp.ndarray b_columns, object b_values, int kind,
                      Py_ssize_t columns) except -1:
    take(&s.a, a_starts, a_columns, a_values, kind, cnp.PyArray_SIZE(b_starts) - 1)
    take(&s.b, b_starts, b_columns, b_values, kind, columns)
    elements(columns, 1, 1)
    s.columns, s.counts, s.is_out_of_memory = columns, NULL, False
    return 0


cdef Py_ssize_t chunk_of(SparseProduct* s, Py_ssize_t rows) noexcept nogil:
    """Rows that one thread takes at a time: work enough to pay for the memory of a row."""
    cdef Py_ssize_t nnz = s.a.starts[rows] + s.b.starts[0] + rows
    return share_of(nnz // (rows + 1) * 8) + s.columns // 256


def product_of_rows(cnp.ndarray a_starts not None, cnp.ndarray a_columns not None, cnp.ndarray a_values not None,
                    cnp.ndarray b_starts not None, cnp.ndarray b_columns not None, cnp.ndarray b_values not None,
                    Py_ssize_t columns):
    """Where the rows of the product of two sparse matrices begin, its columns in order, and its values."""
    cdef SparseProduct s
    cdef int kind = real_kind(a_values)
    cdef Py_ssize_t rows = cnp.PyArray_SIZE(a_starts) - 1, i, nnz
    cdef int64_t* begins
    take(&s.a, a_starts, a_columns, a_values, kind, cnp.PyArray_SIZE(b_starts) - 1)
    take(&s.b, b_starts, b_columns, b_values, kind, columns)
    starts = np.zeros(rows + 1, np.int64)
    begins = <int64_t*>into(starts, cnp.NPY_INT64, rows + 1)
    s.columns, s.counts, s.is_out_of_memory = elements(columns, 1, 1), begins + 1, False
    cdef Py_ssize_t chunk = share_of(s.a.starts[rows] // (rows + 1) * 8) + columns // 256
    with nogil:
        share_out(rows, chunk, count_product_rows, &s)
    for i in range(rows):
        begins[i + 1] += begins[i]
    nnz = begins[rows]
    out_columns, out_values = np.empty(nnz, np.int64), np.empty(nnz, a_values.dtype)
    s.out.starts, s.out.columns = begins, <int64_t*>into(out_columns, cnp.NPY_INT64, nnz)
    s.out.values = into(out_values, kind, nnz)
    if not s.is_out_of_memory:
        with nogil:
            share_out(rows, chunk, product_rows_f32 if kind == cnp.NPY_FLOAT else product_rows_f64, &s)
    if s.is_out_of_memory:
        raise MemoryError("no memory for a row of a product")
    return starts, out_columns, out_values


def common(cnp.ndarray in_first not None, cnp.ndarray in_second not None, cnp.ndarray first not None,
           cnp.ndarray second not None):
    """Of two lists of numbers that ascend, the places of those in both; how many there are."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(first), m = cnp.PyArray_SIZE(second)
    cdef int64_t* of_first = <int64_t*>into(in_first, cnp.NPY_INT64, min(n, m) + 1)
    cdef int64_t* of_second = <int64_t*>into(in_second, cnp.NPY_INT64, min(n, m) + 1)
    for into_ in (in_first, in_second):
        for of in (first, second):
            if not lie_apart(into_, of):
                raise ValueError("places lie in what is looked through")
    if not lie_apart(in_first, in_second):
        raise ValueError("places of one list lie in those of the other")
    return common_places(of_first, of_second, <int64_t*>data(first, cnp.NPY_INT64, n), n,
                         <int64_t*>data(second, cnp.NPY_INT64, m), m)
