# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows picked by index, and added to by index."""
cimport numpy as cnp
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, data, elements, extent, into, is_real

from ..half_precision import in_float32

cnp.import_array()

ctypedef fused number:
    float
    double
    cnp.int32_t
    cnp.int64_t


cdef enum:
    WORK = 32_768  # elements that one thread takes at a time
    COLUMNS = 64  # that one thread adds to at a time: rows come in an order that must not change


cdef void add_row(number* to, number* row, Py_ssize_t n, number factor) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        to[i] += factor * row[i]


cdef struct Added:
    # rows of grad that are added to the rows of a table that their indices name
    int kind
    void *table
    void *grad
    cnp.int64_t *index
    Py_ssize_t count, rows, cols
    cnp.int64_t padding_idx
    Py_ssize_t *seen
    double factor
    cnp.int64_t int_factor


cdef void add_columns(number* table, number* grad, number factor, Added* a, Py_ssize_t first,
                      Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t i
    cdef cnp.int64_t r
    for i in range(a.count):
        r = a.index[i]
        # torch passes over what does not belong to the table
        if r == a.padding_idx or r < 0 or r >= a.rows:
            continue
        add_row[number](table + r * a.cols + first, grad + i * a.cols + first, width,
                        <number>1 / <number>a.seen[r] if a.seen != NULL else factor)


cdef void add_some_columns(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Added* a = <Added*>job
    cdef Py_ssize_t first = begin * COLUMNS, width = min(end * COLUMNS, a.cols) - begin * COLUMNS
    if a.kind == cnp.NPY_FLOAT:
        add_columns(<float*>a.table, <float*>a.grad, <float>a.factor, a, first, width)
    elif a.kind == cnp.NPY_DOUBLE:
        add_columns(<double*>a.table, <double*>a.grad, a.factor, a, first, width)
    elif a.kind == cnp.NPY_INT32:
        add_columns(<cnp.int32_t*>a.table, <cnp.int32_t*>a.grad, <cnp.int32_t>a.int_factor, a, first, width)
    else:
        add_columns(<cnp.int64_t*>a.table, <cnp.int64_t*>a.grad, a.int_factor, a, first, width)


cdef void share_columns(Added* a) noexcept nogil:
    share_out((a.cols + COLUMNS - 1) // COLUMNS, WORK // (a.count * COLUMNS + 1) + 1, add_some_columns, a)


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
    cdef Added a
    a.kind, a.table, a.grad, a.index, a.count, a.rows, a.cols = kind, weight, g, index, count, rows, cols
    a.padding_idx, a.seen, a.factor = padding_idx, seen, 1
    with nogil:
        share_columns(&a)
    free(seen)


cdef Py_ssize_t outside(cnp.int64_t* index, Py_ssize_t count, Py_ssize_t rows) noexcept nogil:
    """The place of the first index that is none of the rows, or -1."""
    cdef Py_ssize_t i
    for i in range(count):
        if index[i] < 0 or index[i] >= rows:
            return i
    return -1


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
    cdef Added a
    a.kind, a.table, a.grad, a.index, a.count, a.rows, a.cols = kind, to, of, at, count, rows, cols
    a.padding_idx, a.seen = -1, NULL
    if is_real(kind):
        a.factor = alpha
    else:
        a.int_factor = alpha
    with nogil:
        share_columns(&a)


cdef struct Taken:
    # rows of bytes, and which of them are copied one after the other
    char* out
    char* rows
    cnp.int64_t* index
    Py_ssize_t row_bytes


cdef void take_some_rows(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Taken* t = <Taken*>job
    cdef Py_ssize_t i
    for i in range(begin, end):
        memcpy(t.out + i * t.row_bytes, t.rows + t.index[i] * t.row_bytes, t.row_bytes)


def take_rows(cnp.ndarray out not None, cnp.ndarray src not None, cnp.ndarray index not None):
    """out[i] = src[index[i]], for any dtype."""
    cdef Py_ssize_t rows = extent(src, 0), count = cnp.PyArray_SIZE(index)
    cdef cnp.int64_t* at = <cnp.int64_t*>data(index, cnp.NPY_INT64, count)
    if outside(at, count, rows) >= 0:
        raise IndexError("index out of range in self")
    if rows == 0 or count == 0:
        return
    cdef Py_ssize_t row_bytes = cnp.PyArray_NBYTES(src) // rows
    if (cnp.PyArray_NBYTES(out) != count * row_bytes or cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(src)
            or not PyArray_ISCARRAY(out) or not PyArray_ISCARRAY_RO(src) or out.dtype.hasobject):
        raise ValueError("take_rows wants contiguous rows of numbers of one dtype, as many as there are indices")
    cdef Taken t
    t.out, t.rows, t.index, t.row_bytes = cnp.PyArray_BYTES(out), cnp.PyArray_BYTES(src), at, row_bytes
    if count * row_bytes <= 4 * WORK:
        take_some_rows(&t, 0, count)
    else:
        with nogil:
            share_out(count, 4 * WORK // (row_bytes + 1) + 1, take_some_rows, &t)
