# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Products of matrices and of batches of them, for arrays of any strides."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from ..errstate cimport hush, speak
from ..pool cimport share_out
from .arrays cimport data, elements, extent, into, is_real, share_of
from .walk cimport BFLOAT16, half_kind

from ..reference import matrices as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED(cnp.ndarray a)  # aligned, in this machine's byte order, writable
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # the same, but it may be read-only
    bint PyArray_ISCARRAY(cnp.ndarray a)  # row by row besides
    object PyArray_MatrixProduct2(object a, object b, cnp.ndarray out)

cdef extern from "product.h" nogil:
    enum: LEAST
    void cut_into_blocks(Product *p)
    bint takes_bfloat16() noexcept
    void multiply_blocks(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    ctypedef struct ComplexRows:
        Py_ssize_t columns
        const void *from_ "from"
        void *to
    void spread_complex_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_complex_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

HAS_BFLOAT16 = bool(takes_bfloat16())  # whether bfloat16 is multiplied as it is, into float32

cdef enum:
    QUICK = 1 << 16  # multiplications from which other Python threads may run meanwhile


cdef void multiply_items(Product *p, Py_ssize_t items) noexcept nogil:
    """All items of a batch; sizes and memory were checked by the caller, and k is not zero."""
    cut_into_blocks(p)
    share_out(items * p.row_blocks * p.column_blocks, LEAST // (p.rows * p.columns * p.k + 1) + 1, multiply_blocks, p)


cdef inline Py_ssize_t step(cnp.ndarray a, int from_last) noexcept:
    """The elements from one index of a dimension to the next; 0 if it has only one."""
    cdef int dim = cnp.PyArray_NDIM(a) - from_last
    return cnp.PyArray_STRIDE(a, dim) // cnp.PyArray_ITEMSIZE(a) if cnp.PyArray_DIM(a, dim) != 1 else 0


cdef bint has_whole_steps(cnp.ndarray a) noexcept:
    cdef int dim
    for dim in range(cnp.PyArray_NDIM(a)):
        if cnp.PyArray_STRIDE(a, dim) % cnp.PyArray_ITEMSIZE(a):
            return False
    return True


cdef bint lie_apart(cnp.ndarray a, cnp.ndarray b) noexcept:
    """Whether the memory from the first to the last element of two arrays does not overlap."""
    cdef char *low[2]
    cdef char *high[2]
    cdef Py_ssize_t reach
    cdef cnp.ndarray array
    cdef int i, dim
    for i in range(2):
        array = b if i else a
        low[i] = high[i] = <char *>cnp.PyArray_DATA(array)
        for dim in range(cnp.PyArray_NDIM(array)):
            reach = cnp.PyArray_STRIDE(array, dim) * (cnp.PyArray_DIM(array, dim) - 1)
            if reach < 0:
                low[i] += reach
            else:
                high[i] += reach
    return high[0] < low[1] or high[1] < low[0]


cdef void places(Py_ssize_t *at, cnp.ndarray a, cnp.ndarray out, Py_ssize_t items) noexcept:
    """Where each item of a batch begins, in elements; dimensions of one item are repeated."""
    cdef Py_ssize_t item, rest, size
    cdef int dim
    for item in range(items):
        at[item], rest = 0, item
        for dim in range(cnp.PyArray_NDIM(out) - 3, -1, -1):
            size = cnp.PyArray_DIM(out, dim)
            if cnp.PyArray_DIM(a, dim) != 1:
                at[item] += rest % size * (cnp.PyArray_STRIDE(a, dim) // cnp.PyArray_ITEMSIZE(a))
            rest //= size


cdef bint fit(cnp.ndarray out, cnp.ndarray a, cnp.ndarray b) noexcept:
    """Whether these are the sizes of a product of matrices, or of batches that broadcast."""
    cdef int ndim = cnp.PyArray_NDIM(out), dim
    cdef Py_ssize_t size
    if ndim < 2 or cnp.PyArray_NDIM(a) != ndim or cnp.PyArray_NDIM(b) != ndim:
        return False
    for dim in range(ndim - 2):
        size = cnp.PyArray_DIM(out, dim)
        if ((cnp.PyArray_DIM(a, dim) != size and cnp.PyArray_DIM(a, dim) != 1)
                or (cnp.PyArray_DIM(b, dim) != size and cnp.PyArray_DIM(b, dim) != 1)):
            return False
    return (cnp.PyArray_DIM(a, ndim - 2) == cnp.PyArray_DIM(out, ndim - 2)
            and cnp.PyArray_DIM(b, ndim - 1) == cnp.PyArray_DIM(out, ndim - 1)
            and cnp.PyArray_DIM(a, ndim - 1) == cnp.PyArray_DIM(b, ndim - 2))


cdef bint describe(Product *p, cnp.ndarray out, cnp.ndarray a, cnp.ndarray b) noexcept:
    """The sizes and steps of a product; False where tiles do not serve it."""
    cdef int kind = cnp.PyArray_TYPE(out), ndim = cnp.PyArray_NDIM(out)
    p.is_bfloat16 = (kind == cnp.NPY_FLOAT and half_kind(a) == BFLOAT16 and half_kind(b) == BFLOAT16
                     and takes_bfloat16())
    if not (is_real(kind) and (p.is_bfloat16 or (cnp.PyArray_TYPE(a) == kind and cnp.PyArray_TYPE(b) == kind))
            and fit(out, a, b) and PyArray_ISBEHAVED(out) and PyArray_ISBEHAVED_RO(a) and PyArray_ISBEHAVED_RO(b)
            and has_whole_steps(out) and has_whole_steps(a) and has_whole_steps(b)):
        return False
    p.is_double = kind == cnp.NPY_DOUBLE
    p.m, p.n, p.k = cnp.PyArray_DIM(out, ndim - 2), cnp.PyArray_DIM(out, ndim - 1), cnp.PyArray_DIM(a, ndim - 1)
    p.a, p.b, p.c = cnp.PyArray_BYTES(a), cnp.PyArray_BYTES(b), cnp.PyArray_BYTES(out)
    p.a_row, p.a_column, p.b_row, p.b_column = step(a, 2), step(a, 1), step(b, 2), step(b, 1)
    p.c_row = step(out, 2)
    p.a_at = p.b_at = p.c_at = NULL
    if p.m < 2 or p.n < 2:  # with vectors, BLAS does as well
        return False
    if step(out, 1) != 1:  # the other way round: out' = b' a'
        if p.c_row != 1:
            return False
        p.c_row = step(out, 1)
        p.a, p.b, p.m, p.n = p.b, p.a, p.n, p.m
        p.a_row, p.a_column, p.b_row, p.b_column = p.b_column, p.b_row, p.a_column, p.a_row
    return p.k > 0 and lie_apart(out, a) and lie_apart(out, b)


cdef bint suits_blas(cnp.ndarray out, cnp.ndarray a, cnp.ndarray b) noexcept:
    """Whether NumPy hands a product of two matrices to BLAS as it is: one of a single row, mostly, of one example."""
    cdef int kind = cnp.PyArray_TYPE(out)
    return (cnp.PyArray_NDIM(out) == 2 and fit(out, a, b) and is_real(kind) and cnp.PyArray_TYPE(a) == kind
            and cnp.PyArray_TYPE(b) == kind and PyArray_ISCARRAY(out) and PyArray_ISBEHAVED_RO(a)
            and PyArray_ISBEHAVED_RO(b))


cdef int add(cnp.ndarray out, cnp.ndarray terms) except -1:
    """out += terms, both of real numbers that lie row by row."""
    cdef int kind = cnp.PyArray_TYPE(out)
    cdef Py_ssize_t i, size = cnp.PyArray_SIZE(out)
    cdef void *to = into(out, kind, size)
    cdef void *more = data(terms, kind, size)
    if kind == cnp.NPY_FLOAT:
        for i in range(size):
            (<float *>to)[i] += (<float *>more)[i]
    else:
        for i in range(size):
            (<double *>to)[i] += (<double *>more)[i]
    return 0


cdef int multiply_by_blas(cnp.ndarray out, cnp.ndarray a, cnp.ndarray b, bint adds) except -1:
    """out = a @ b, or out += a @ b, without a word about what is not finite."""
    before = hush()
    try:
        if adds:
            add(out, <cnp.ndarray?>cnp.PyArray_MatrixProduct(a, b))
        else:
            PyArray_MatrixProduct2(a, b, out)
    finally:
        speak(before)
    return 0


cdef int multiply_into(object out_, object a_, object b_, bint adds) except -1:
    """out = a @ b of matrices or batches that broadcast, or out += a @ b; BLAS takes what tiles do not serve."""
    cdef cnp.ndarray out = <cnp.ndarray?>out_, a = <cnp.ndarray?>a_, b = <cnp.ndarray?>b_
    cdef Product p
    cdef Py_ssize_t items = 1
    cdef Py_ssize_t *at = NULL
    cdef int dim
    cdef bint is_turned
    if not describe(&p, out, a, b):
        if suits_blas(out, a, b):
            multiply_by_blas(out, a, b, adds)
        else:
            reference.multiply(out, a, b, adds)
        return 0
    is_turned = step(out, 1) != 1
    p.adds = adds
    for dim in range(cnp.PyArray_NDIM(out) - 2):
        items *= cnp.PyArray_DIM(out, dim)
    if items != 1:
        at = <Py_ssize_t *>malloc((3 * items + 1) * sizeof(Py_ssize_t))
        if at == NULL:
            raise MemoryError
        places(at, b if is_turned else a, out, items)
        places(at + items, a if is_turned else b, out, items)
        places(at + 2 * items, out, out, items)
        p.a_at, p.b_at, p.c_at = at, at + items, at + 2 * items
    if <double>items * p.m * p.n * p.k < QUICK:
        multiply_items(&p, items)
    else:
        with nogil:
            multiply_items(&p, items)
    free(at)
    return 0


def multiply(out, a, b, bint adds=False):
    """out = a @ b of matrices or batches that broadcast, or out += a @ b."""
    multiply_into(out, a, b, adds)


def spread_complex(cnp.ndarray out not None, cnp.ndarray a not None):
    """Of every row of complex numbers two rows of real ones: (re, im) and, times i, (-im, re)."""
    cdef ComplexRows job
    cdef int ndim = cnp.PyArray_NDIM(a), kind = cnp.PyArray_TYPE(a)
    cdef bint single = kind == cnp.NPY_CFLOAT
    if not ndim or (kind != cnp.NPY_CFLOAT and kind != cnp.NPY_CDOUBLE):
        raise ValueError(f"rows of complex numbers wanted, got {a.dtype} {(<object>a).shape}")
    job.columns = extent(a, ndim - 1)
    cdef Py_ssize_t size = cnp.PyArray_SIZE(a)
    job.from_ = data(a, kind, size)
    job.to = into(out, cnp.NPY_FLOAT if single else cnp.NPY_DOUBLE, elements(size, 2, 2))
    if not lie_apart(out, a):
        return reference.spread_complex(out, a.copy())
    if size:
        with nogil:
            share_out(size // job.columns, share_of(4 * job.columns),
                      spread_complex_f32 if single else spread_complex_f64, &job)
