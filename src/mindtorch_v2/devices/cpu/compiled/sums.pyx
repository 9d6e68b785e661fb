# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums, products, norms and extremes over any dimensions of an array of any layout, and variances over one run of them."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport data, elements, into, is_real, refused, share_of
from .walk cimport NOT_HALF, PyArray_ISBEHAVED, PyArray_ISBEHAVED_RO, half_kind

from ..reference import sums as reference

cnp.import_array()

cdef extern from "sums.h" nogil:
    enum: SUM, PRODUCT, SQUARES, SIZES, NUMBERS, LARGEST, SMALLEST, LARGEST_SIZE
    enum: F32, F64, U8, I8, I16, I32, I64
    enum: TILE, MOST_RUNS, CELL
    ctypedef void (*fold_loop)(void *totals, const void *x, Py_ssize_t n, Py_ssize_t step, Py_ssize_t count) noexcept
    const fold_loop row_loops[8][7]
    ctypedef struct run:
        Py_ssize_t count
        Py_ssize_t step
        Py_ssize_t out_step
    ctypedef struct reduction:
        int kind
        int type
        int half
        int takes_root
        Py_ssize_t itemsize
        char *out
        const char *x
        Py_ssize_t width
        Py_ssize_t groups
        Py_ssize_t slices
        char *parts
    void arrange(reduction *r, run *dims, const int *is_folded, int ndim) noexcept
    void plan(reduction *r) noexcept
    void fold_slices(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void join_slices(const reduction *r) noexcept
    ctypedef struct variance:
        int is_double
        const char *x
        double *means
        double *apart
        Py_ssize_t n
        Py_ssize_t inner
        Py_ssize_t tiles
    void spread_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void spread_tiles(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    SMALL = 4096  # elements up to which a reduction is a single call


cdef inline int type_of(cnp.ndarray x) noexcept:
    """Which loop reads numbers of a type; -1 if none does."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if kind == cnp.NPY_FLOAT or half_kind(x) != NOT_HALF:
        return F32
    if kind == cnp.NPY_DOUBLE:
        return F64
    if kind == cnp.NPY_BOOL or kind == cnp.NPY_UINT8:
        return U8
    return (I64 if kind == cnp.NPY_INT64 else I32 if kind == cnp.NPY_INT32 else I16 if kind == cnp.NPY_INT16 else
            I8 if kind == cnp.NPY_INT8 else -1)


cdef int describe(reduction *r, cnp.ndarray out, cnp.ndarray x, tuple dims) except -1:
    """Where everything lies; the result has the kept dimensions, and the others with size one or not at all."""
    cdef int ndim = cnp.PyArray_NDIM(x), d, at = 0
    cdef bint is_kept = cnp.PyArray_NDIM(out) == ndim
    cdef run places[MOST_RUNS]
    cdef int is_folded[MOST_RUNS]
    if ndim > MOST_RUNS or not PyArray_ISBEHAVED(out) or not PyArray_ISBEHAVED_RO(x) \
            or cnp.PyArray_NDIM(out) != (ndim if is_kept else ndim - len(dims)):
        refused(out, cnp.PyArray_SIZE(out))
    for d in range(ndim):
        is_folded[d] = False
    for dim in dims:
        d = dim
        if not 0 <= d < ndim or is_folded[d]:
            raise IndexError(f"dimensions {dims} of an array of {ndim}")
        is_folded[d] = True
    for d in range(ndim):
        places[d].count, places[d].step, places[d].out_step = cnp.PyArray_DIM(x, d), cnp.PyArray_STRIDE(x, d), 0
        if not is_folded[d]:
            places[d].out_step = cnp.PyArray_STRIDE(out, at)
        if (is_kept or not is_folded[d]) and cnp.PyArray_DIM(out, at) != (1 if is_folded[d] else places[d].count):
            refused(out, cnp.PyArray_SIZE(out))
        at += is_kept or not is_folded[d]
        if places[d].count > 1 and places[d].step % cnp.PyArray_ITEMSIZE(x):
            refused(x, cnp.PyArray_SIZE(x))
    r.x, r.out, r.itemsize = <char *>cnp.PyArray_DATA(x), <char *>cnp.PyArray_DATA(out), cnp.PyArray_ITEMSIZE(x)
    arrange(r, places, is_folded, ndim)
    return 0


cdef int reduce(int kind, cnp.ndarray out, cnp.ndarray x, tuple dims, bint takes_root=False) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef reduction r
    cdef Py_ssize_t total = cnp.PyArray_SIZE(x)
    cdef int of_type = type_of(x)
    if of_type < 0 or row_loops[kind][of_type] == NULL:
        return 0
    if cnp.PyArray_TYPE(out) != (cnp.PyArray_TYPE(x) if of_type == F32 or of_type == F64 else cnp.NPY_INT64):
        refused(out, cnp.PyArray_SIZE(out))
    if cnp.PyArray_SIZE(out) == 0:
        return 1
    r.kind, r.type, r.half, r.takes_root = kind, of_type, half_kind(x), takes_root
    describe(&r, out, x, dims)
    plan(&r)
    if total <= SMALL:
        r.slices = 1
        fold_slices(&r, 0, r.groups)
        return 1
    r.parts = <char *>malloc(r.groups * r.slices * r.width * CELL) if r.slices > 1 else NULL
    if r.slices > 1 and r.parts == NULL:
        raise MemoryError("no memory left to add up the parts of a row")
    with nogil:
        share_out(r.groups * r.slices, share_of(total // (r.groups * r.slices)), fold_slices, &r)
        if r.slices > 1:
            join_slices(&r)
    free(r.parts)
    return 1


def largest(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The largest over some dimensions; a NaN where there is one."""
    if not reduce(LARGEST, out, x, dims):
        reference.largest(out, x, dims)


def smallest(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The smallest over some dimensions; a NaN where there is one."""
    if not reduce(SMALLEST, out, x, dims):
        reference.smallest(out, x, dims)


def largest_size(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The largest absolute value over some dimensions; a NaN where there is one."""
    if not reduce(LARGEST_SIZE, out, x, dims):
        reference.largest_size(out, x, dims)


def total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum over some dimensions; that of whole numbers is an int64."""
    if not reduce(SUM, out, x, dims):
        reference.total(out, x, dims)


def product(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The product over some dimensions."""
    if not reduce(PRODUCT, out, x, dims):
        reference.product(out, x, dims)


def number_total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum over some dimensions; a NaN counts nothing."""
    if not reduce(NUMBERS, out, x, dims):
        reference.number_total(out, x, dims)


def size_total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum of absolute values over some dimensions."""
    if not reduce(SIZES, out, x, dims):
        reference.size_total(out, x, dims)


def root_of_squares(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The Euclidean norm over some dimensions."""
    if not reduce(SQUARES, out, x, dims, True):
        reference.root_of_squares(out, x, dims)


def spread(cnp.ndarray means not None, cnp.ndarray apart not None, cnp.ndarray x not None, Py_ssize_t outer,
           Py_ssize_t n, Py_ssize_t inner):
    """The means over j of x[i, j, k], and the sums of squared distances from them, both in double precision."""
    cdef int of_type = cnp.PyArray_TYPE(x)
    if not is_real(of_type):
        return reference.spread(means, apart, x, outer, n, inner)
    cdef Py_ssize_t count = elements(outer, 1, inner)
    cdef variance v
    v.x, v.is_double = <char *>data(x, of_type, elements(outer, n, inner)), of_type == cnp.NPY_DOUBLE
    v.means, v.apart = <double *>into(means, cnp.NPY_DOUBLE, count), <double *>into(apart, cnp.NPY_DOUBLE, count)
    v.n, v.inner, v.tiles = n, inner, (inner + TILE - 1) // TILE
    with nogil:
        if inner > 1:
            share_out(outer * v.tiles, share_of(n * min(inner, <Py_ssize_t>TILE)), spread_tiles, &v)
        else:
            share_out(outer, share_of(2 * n), spread_rows, &v)
