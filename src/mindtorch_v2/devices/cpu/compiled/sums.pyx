# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums, products, norms, extremes, counts and truths over any dimensions of an array of any layout, and variances over
one run of them."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport data, elements, into, is_real, refused, share_of
from .walk cimport BFLOAT16, FLOAT16, NOT_HALF, PyArray_ISBEHAVED, PyArray_ISBEHAVED_RO, half_kind

from ..reference import sums as reference

cnp.import_array()

cdef extern from "sums.h" nogil:
    enum: SUM, PRODUCT, SQUARES, SIZES, NUMBERS, LARGEST, SMALLEST, LARGEST_SIZE, COUNT, ANY, ALL, KINDS
    enum: F32, F64, BF16, U8, I8, I16, I32, I64, C64, C128, TYPES
    enum: TILE, MOST_RUNS
    ctypedef void (*fold_loop)(void *totals, const void *x, Py_ssize_t n, Py_ssize_t step, Py_ssize_t count) noexcept
    const fold_loop row_loops[KINDS][TYPES]
    ctypedef struct run:
        Py_ssize_t count
        Py_ssize_t step
        Py_ssize_t out_step
    ctypedef struct reduction:
        int kind
        int type
        int half
        int widens
        int takes_root
        Py_ssize_t itemsize
        Py_ssize_t out_size
        Py_ssize_t cell
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


cdef inline int type_of(cnp.ndarray x, int kind) noexcept:
    """Which loop reads numbers of a type; -1 if none does. Halves are true if their bits are."""
    cdef int number = cnp.PyArray_TYPE(x), half = half_kind(x)
    if half != NOT_HALF:
        return BF16 if half == BFLOAT16 or kind >= COUNT else F32
    return (F32 if number == cnp.NPY_FLOAT else F64 if number == cnp.NPY_DOUBLE
            else U8 if number == cnp.NPY_BOOL or number == cnp.NPY_UINT8 else I64 if number == cnp.NPY_INT64
            else I32 if number == cnp.NPY_INT32 else I16 if number == cnp.NPY_INT16 else I8 if number == cnp.NPY_INT8
            else C64 if number == cnp.NPY_COMPLEX64 else C128 if number == cnp.NPY_COMPLEX128 else -1)


cdef inline bint fits(cnp.ndarray out, cnp.ndarray x, int kind, int of_type) noexcept:
    """Whether an array has the type of a result: truths are bytes, counts and sums of whole numbers int64."""
    if kind == ANY or kind == ALL:
        return cnp.PyArray_TYPE(out) == cnp.NPY_BOOL or cnp.PyArray_TYPE(out) == cnp.NPY_UINT8
    if kind == COUNT or (U8 <= of_type <= I64 and kind != LARGEST and kind != SMALLEST):
        return cnp.PyArray_TYPE(out) == cnp.NPY_INT64
    return cnp.PyArray_TYPE(out) == cnp.PyArray_TYPE(x)


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
    r.x, r.out = <char *>cnp.PyArray_DATA(x), <char *>cnp.PyArray_DATA(out)
    r.itemsize, r.out_size = cnp.PyArray_ITEMSIZE(x), cnp.PyArray_ITEMSIZE(out)
    arrange(r, places, is_folded, ndim)
    return 0


cdef int reduce(int kind, cnp.ndarray out, cnp.ndarray x, tuple dims, bint takes_root=False) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef reduction r
    cdef Py_ssize_t total = cnp.PyArray_SIZE(x)
    cdef int of_type = type_of(x, kind)
    if of_type < 0 or row_loops[kind][of_type] == NULL:
        return 0
    if not fits(out, x, kind, of_type):
        refused(out, cnp.PyArray_SIZE(out))
    if cnp.PyArray_SIZE(out) == 0:
        return 1
    r.kind, r.type, r.half, r.takes_root = kind, of_type, half_kind(out), takes_root
    r.widens = half_kind(x) == FLOAT16 and of_type == F32
    describe(&r, out, x, dims)
    plan(&r)
    if total <= SMALL:
        r.slices = 1
        fold_slices(&r, 0, r.groups)
        return 1
    r.parts = <char *>malloc(r.groups * r.slices * r.width * r.cell) if r.slices > 1 else NULL
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
    return reduce(LARGEST, out, x, dims) or reference.largest(out, x, dims)


def smallest(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The smallest over some dimensions; a NaN where there is one."""
    return reduce(SMALLEST, out, x, dims) or reference.smallest(out, x, dims)


def largest_size(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The largest absolute value over some dimensions; a NaN where there is one."""
    return reduce(LARGEST_SIZE, out, x, dims) or reference.largest_size(out, x, dims)


def total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum over some dimensions; that of whole numbers is an int64."""
    return reduce(SUM, out, x, dims) or reference.total(out, x, dims)


def product(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The product over some dimensions."""
    return reduce(PRODUCT, out, x, dims) or reference.product(out, x, dims)


def number_total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum over some dimensions; a NaN counts nothing."""
    return reduce(NUMBERS, out, x, dims) or reference.number_total(out, x, dims)


def size_total(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The sum of absolute values over some dimensions."""
    return reduce(SIZES, out, x, dims) or reference.size_total(out, x, dims)


def root_of_squares(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """The Euclidean norm over some dimensions."""
    return reduce(SQUARES, out, x, dims, True) or reference.root_of_squares(out, x, dims)


def count_of_true(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """How many elements over some dimensions are not zero."""
    return reduce(COUNT, out, x, dims) or reference.count_of_true(out, x, dims)


def any_true(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """Whether any element over some dimensions is not zero."""
    return reduce(ANY, out, x, dims) or reference.any_true(out, x, dims)


def all_true(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """Whether no element over some dimensions is zero."""
    return reduce(ALL, out, x, dims) or reference.all_true(out, x, dims)


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
