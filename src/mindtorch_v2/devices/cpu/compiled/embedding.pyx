# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows picked by index, and added to by index."""
cimport numpy as cnp
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, data, elements, extent, into, is_real

from ..half_precision import in_float32

cnp.import_array()

ctypedef fused real:
    float
    double

ctypedef fused number:
    float
    double
    cnp.int32_t
    cnp.int64_t


cdef void add_row(number* to, number* row, Py_ssize_t n, number factor) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        to[i] += factor * row[i]


cdef void embedding_loop(real* weight, real* grad, cnp.int64_t* index, Py_ssize_t count, Py_ssize_t rows,
                         Py_ssize_t cols, cnp.int64_t padding_idx, Py_ssize_t* seen) noexcept nogil:
    cdef Py_ssize_t i
    cdef cnp.int64_t r
    for i in range(count):
        r = index[i]
        # torch passes over what does not belong to the table
        if r == padding_idx or r < 0 or r >= rows:
            continue
        add_row[real](weight + r * cols, grad + i * cols, cols, <real>1 / <real>seen[r] if seen != NULL else <real>1)


def embedding_dense_backward(cnp.ndarray grad_weight not None, cnp.ndarray grad not None,
                             cnp.ndarray indices not None, cnp.int64_t padding_idx, bint scale_grad_by_freq):
    """Adds each row of grad to the row of grad_weight its index names; grad_weight comes zero-filled."""
    cdef int kind = cnp.PyArray_TYPE(grad_weight)
    if not is_real(kind):
        return in_float32(embedding_dense_backward, 1, grad_weight, grad, indices, padding_idx, scale_grad_by_freq)
    cdef Py_ssize_t count = cnp.PyArray_SIZE(indices), i
    cdef Py_ssize_t rows = extent(grad_weight, 0), cols = extent(grad_weight, 1)
    cdef void* weight = into(grad_weight, kind, elements(rows, cols, 1))
    cdef void* g = data(grad, kind, elements(count, cols, 1))
    cdef cnp.int64_t* index = <cnp.int64_t*>data(indices, cnp.NPY_INT64, count)
    cdef Py_ssize_t* seen = NULL
    if scale_grad_by_freq:
        seen = <Py_ssize_t*>calloc(rows + 1, sizeof(Py_ssize_t))
        if seen == NULL:
            raise MemoryError
        for i in range(count):
            if 0 <= index[i] < rows:
                seen[index[i]] += 1
    if kind == cnp.NPY_FLOAT:
        embedding_loop(<float*>weight, <float*>g, index, count, rows, cols, padding_idx, seen)
    else:
        embedding_loop(<double*>weight, <double*>g, index, count, rows, cols, padding_idx, seen)
    free(seen)


cdef Py_ssize_t outside(cnp.int64_t* index, Py_ssize_t count, Py_ssize_t rows) noexcept nogil:
    """The place of the first index that is none of the rows, or -1."""
    cdef Py_ssize_t i
    for i in range(count):
        if index[i] < 0 or index[i] >= rows:
            return i
    return -1


cdef void index_add_loop(number* out, cnp.int64_t* index, number* src, number alpha, Py_ssize_t count,
                         Py_ssize_t cols) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        add_row[number](out + index[i] * cols, src + i * cols, cols, alpha)


def index_add(cnp.ndarray out not None, cnp.ndarray index not None, cnp.ndarray src not None, alpha):
    """out[index[i]] += alpha * src[i], over rows."""
    cdef int kind = cnp.PyArray_TYPE(out)
    cdef Py_ssize_t rows = extent(out, 0), cols = extent(out, 1), count = cnp.PyArray_SIZE(index)
    cdef cnp.int64_t* at = <cnp.int64_t*>data(index, cnp.NPY_INT64, count)
    cdef Py_ssize_t bad = outside(at, count, rows)
    if bad >= 0:
        raise RuntimeError(f"index {at[bad]} is out of bounds for dimension 0 with size {rows}")
    if kind not in (cnp.NPY_FLOAT, cnp.NPY_DOUBLE, cnp.NPY_INT32, cnp.NPY_INT64):
        return in_float32(index_add, 1, out, index, src, alpha)
    cdef void* to = into(out, kind, elements(rows, cols, 1))
    cdef void* of = data(src, kind, elements(count, cols, 1))
    if kind == cnp.NPY_FLOAT:
        index_add_loop(<float*>to, at, <float*>of, <float>alpha, count, cols)
    elif kind == cnp.NPY_DOUBLE:
        index_add_loop(<double*>to, at, <double*>of, <double>alpha, count, cols)
    elif kind == cnp.NPY_INT32:
        index_add_loop(<cnp.int32_t*>to, at, <cnp.int32_t*>of, <cnp.int32_t>alpha, count, cols)
    else:
        index_add_loop(<cnp.int64_t*>to, at, <cnp.int64_t*>of, <cnp.int64_t>alpha, count, cols)


def take_rows(cnp.ndarray out not None, cnp.ndarray src not None, cnp.ndarray index not None):
    """out[i] = src[index[i]], for any dtype."""
    cdef Py_ssize_t rows = extent(src, 0), count = cnp.PyArray_SIZE(index), i
    cdef cnp.int64_t* at = <cnp.int64_t*>data(index, cnp.NPY_INT64, count)
    if outside(at, count, rows) >= 0:
        raise IndexError("index out of range in self")
    if rows == 0 or count == 0:
        return
    cdef Py_ssize_t row_bytes = cnp.PyArray_NBYTES(src) // rows
    if (cnp.PyArray_NBYTES(out) != count * row_bytes or cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(src)
            or not PyArray_ISCARRAY(out) or not PyArray_ISCARRAY_RO(src) or out.dtype.hasobject):
        raise ValueError("take_rows wants contiguous rows of numbers of one dtype, as many as there are indices")
    cdef char* to = <char*>cnp.PyArray_DATA(out)
    cdef char* of = <char*>cnp.PyArray_DATA(src)
    for i in range(count):
        memcpy(to + i * row_bytes, of + at[i] * row_bytes, row_bytes)
