# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Products with vectors: sums of products of halves, and outer and cross products of floats."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY_RO, data, elements, extent, into, is_real, share_of
from .matrices cimport lie_apart
from .walk cimport NOT_HALF, half_kind, is_apart

from ..reference import vector_products as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # aligned and in this machine's byte order

cdef extern from "vector_products.h" nogil:
    enum: PIECE, TERM
    ctypedef struct HalfProducts:
        int half
        Py_ssize_t rows, size, row_step, step, other_step
        const char* x
        const char* other
        const float* vector
        float* out
        double* terms
    ctypedef struct Outer:
        Py_ssize_t rows, columns, summand_row, summand_step, column_step
        const void* summand
        const void* column
        const void* row
        void* out
        double beta, alpha
    ctypedef struct Cross:
        Py_ssize_t inner
        const void* a
        const void* b
        void* out
    void half_terms(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void half_rows(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void half_columns(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void outer_rows_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void outer_rows_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void crosses_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void crosses_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    SIDES = 3
    FEW = 8  # parts of a sum
    QUICK = 1 << 14  # products up to which other Python threads need not run meanwhile


cdef int begin(HalfProducts* h, cnp.ndarray x, int ndim) except -1:
    h.half = half_kind(x)
    if h.half == NOT_HALF or cnp.PyArray_NDIM(x) != ndim or not PyArray_ISBEHAVED_RO(x):
        raise ValueError(f"halves in {ndim} dimensions wanted, got {x.dtype} {(<object>x).shape}")
    h.size, h.step = cnp.PyArray_DIM(x, ndim - 1), cnp.PyArray_STRIDE(x, ndim - 1)
    h.x = cnp.PyArray_BYTES(x)
    return 0


def half_dot(cnp.ndarray a not None, cnp.ndarray b not None):
    """The sum of the products of two vectors of one half precision."""
    cdef HalfProducts h
    cdef double few[FEW]
    cdef double total = 0
    cdef Py_ssize_t terms, i
    begin(&h, a, 1)
    if half_kind(b) != h.half or cnp.PyArray_NDIM(b) != 1 or cnp.PyArray_DIM(b, 0) != h.size \
            or not PyArray_ISBEHAVED_RO(b):
        raise ValueError(f"{(<object>a).shape} numbers of {a.dtype} wanted, got {(<object>b).shape} of {b.dtype}")
    h.other, h.other_step = cnp.PyArray_BYTES(b), cnp.PyArray_STRIDE(b, 0)
    terms = (h.size + TERM - 1) // TERM
    h.terms = few
    if terms > FEW:
        h.terms = <double*>malloc(terms * sizeof(double))
        if h.terms == NULL:
            raise MemoryError("no memory for the parts of a sum")
    if h.size < QUICK:
        half_terms(&h, 0, terms)
    else:
        with nogil:
            share_out(terms, 2, half_terms, &h)
    for i in range(terms):
        total += h.terms[i]
    if terms > FEW:
        free(h.terms)
    return total


def half_rows_by_vector(cnp.ndarray out not None, cnp.ndarray matrix not None, cnp.ndarray vector not None):
    """The products of the rows of a matrix of halves with a vector of float32, in float32."""
    cdef HalfProducts h
    begin(&h, matrix, 2)
    h.rows, h.row_step = cnp.PyArray_DIM(matrix, 0), cnp.PyArray_STRIDE(matrix, 0)
    h.out, h.vector = <float*>into(out, cnp.NPY_FLOAT, h.rows), <float*>data(vector, cnp.NPY_FLOAT, h.size)
    cdef bint by_columns = h.row_step == 2 and h.step != 2
    if not lie_apart(out, matrix) or not lie_apart(out, vector):
        return reference.half_rows_by_vector(out, matrix, vector)
    with nogil:
        if by_columns:
            share_out((h.rows + PIECE - 1) // PIECE, share_of(PIECE * h.size), half_columns, &h)
        else:
            share_out(h.rows, share_of(h.size), half_rows, &h)


cdef int only_real(cnp.ndarray a) except -1:
    if not is_real(cnp.PyArray_TYPE(a)):
        raise TypeError(f"float32 or float64 wanted, got {a.dtype}")
    return cnp.PyArray_TYPE(a)


cdef inline Py_ssize_t step_of(cnp.ndarray a, int dim) except? -1:
    if cnp.PyArray_STRIDE(a, dim) % cnp.PyArray_ITEMSIZE(a):
        raise ValueError(f"strides of whole elements wanted, got {(<object>a).strides}")
    return cnp.PyArray_STRIDE(a, dim) // cnp.PyArray_ITEMSIZE(a)


def add_outer(cnp.ndarray out not None, cnp.ndarray summand not None, cnp.ndarray column not None,
              cnp.ndarray row not None, double beta, double alpha):
    """beta * summand + alpha * column * row; with a beta of zero the summand is not looked at."""
    cdef Outer o
    cdef int kind = only_real(out)
    o.rows, o.columns = extent(out, 0), extent(out, 1)
    o.out = into(out, kind, elements(o.rows, o.columns, 1))
    o.row = data(row, kind, o.columns)
    if cnp.PyArray_TYPE(summand) != kind or cnp.PyArray_TYPE(column) != kind or cnp.PyArray_NDIM(summand) != 2 \
            or cnp.PyArray_NDIM(column) != 1 or extent(summand, 0) != o.rows or extent(summand, 1) != o.columns \
            or extent(column, 0) != o.rows or not PyArray_ISBEHAVED_RO(summand) or not PyArray_ISBEHAVED_RO(column):
        raise ValueError(f"add_outer: {(<object>summand).shape} and {(<object>column).shape} do not fit {out.dtype} "
                         f"{(<object>out).shape}")
    cdef bint is_in_place = PyArray_ISCARRAY_RO(summand) and cnp.PyArray_DATA(summand) == cnp.PyArray_DATA(out)
    if not (is_in_place or lie_apart(out, summand)) or not lie_apart(out, column) or not lie_apart(out, row):
        return reference.add_outer(out, summand, column, row, beta, alpha)
    o.summand, o.column = cnp.PyArray_DATA(summand), cnp.PyArray_DATA(column)
    o.summand_row, o.summand_step, o.column_step = step_of(summand, 0), step_of(summand, 1), step_of(column, 0)
    o.beta, o.alpha = beta, alpha
    with nogil:
        share_out(o.rows, share_of(o.columns), outer_rows_f32 if kind == cnp.NPY_FLOAT else outer_rows_f64, &o)


def cross(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """Cross products of vectors along the middle one of three dimensions; the result may be one of them."""
    cdef Cross c
    cdef int kind = only_real(out)
    cdef Py_ssize_t outer = extent(out, 0)
    c.inner = extent(out, 2)
    cdef Py_ssize_t size = elements(outer, SIDES, c.inner)
    if extent(out, 1) != SIDES or not cnp.PyArray_SAMESHAPE(out, a) or not cnp.PyArray_SAMESHAPE(out, b):
        raise ValueError(f"cross: three numbers of each vector wanted, got {(<object>a).shape} and {(<object>b).shape} "
                         f"for {(<object>out).shape}")
    c.out, c.a, c.b = into(out, kind, size), data(a, kind, size), data(b, kind, size)
    if not is_apart(out, a) or not is_apart(out, b):
        return reference.cross(out, a, b)
    if outer * c.inner < QUICK:
        (crosses_f32 if kind == cnp.NPY_FLOAT else crosses_f64)(&c, 0, outer)
    else:
        with nogil:
            share_out(outer, share_of(SIDES * c.inner), crosses_f32 if kind == cnp.NPY_FLOAT else crosses_f64, &c)
