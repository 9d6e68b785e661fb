# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A few elements of one type moved to another place: joined, turned, shifted, repeated, or a triangle of them.

Every function answers False, and has written nothing, where NumPy has to do it: many elements, or several types.
"""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from ..pool cimport share_out
from .walk cimport is_apart, move_loops

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISNOTSWAPPED(cnp.ndarray a) noexcept
    bint PyArray_ISWRITEABLE(cnp.ndarray a) noexcept

cdef enum:
    LONG = 32_768  # elements from which a copy is shared out among threads
    MAX_DIMS = 64  # NumPy's own limit
    ROWS_TOGETHER = 64
    FEW_BYTES = 16

ctypedef cnp.npy_intp intp


cdef bint is_of_one_type(cnp.ndarray out, cnp.ndarray x) except -1:
    """Whether elements can go from one array to the other byte by byte."""
    if not PyArray_ISWRITEABLE(out):
        raise ValueError("kernel wants a result that can be written")
    return (cnp.PyArray_TYPE(out) == cnp.PyArray_TYPE(x) != cnp.NPY_OBJECT
            and cnp.PyArray_ITEMSIZE(out) == cnp.PyArray_ITEMSIZE(x)
            and PyArray_ISNOTSWAPPED(out) and PyArray_ISNOTSWAPPED(x))


cdef bint is_movable(cnp.ndarray out, cnp.ndarray x) except -1:
    """Whether they can, and are few."""
    return is_of_one_type(out, x) and cnp.PyArray_SIZE(out) <= LONG


cdef bint same_shape(cnp.ndarray a, cnp.ndarray b) noexcept:
    cdef int nd = cnp.PyArray_NDIM(a), i
    if nd != cnp.PyArray_NDIM(b):
        return False
    for i in range(nd):
        if cnp.PyArray_DIM(a, i) != cnp.PyArray_DIM(b, i):
            return False
    return True


cdef int check_dim(int dim, cnp.ndarray a) except -1:
    if not 0 <= dim < cnp.PyArray_NDIM(a):
        raise ValueError(f"kernel wants a dimension of {(<object>a).shape}, counted from the front, got {dim}")
    return dim


cdef void move_line(Py_ssize_t n, char *to, intp to_step, const char *of, intp of_step, Py_ssize_t item) noexcept nogil:
    cdef Py_ssize_t i
    if to_step == item and of_step == item:
        memcpy(to, of, n * item)
    elif item == 4:
        for i in range(n):
            memcpy(to + i * to_step, of + i * of_step, 4)
    elif item == 8:
        for i in range(n):
            memcpy(to + i * to_step, of + i * of_step, 8)
    else:
        for i in range(n):
            memcpy(to + i * to_step, of + i * of_step, item)


cdef void move(int nd, const intp *sizes, char *to, const intp *to_steps, const char *of, const intp *of_steps,
               Py_ssize_t item) noexcept nogil:
    """Copy a block of these sizes; steps count bytes and may go backwards or stand still."""
    cdef Py_ssize_t i
    if nd == 0:
        memcpy(to, of, item)
    elif nd == 1:
        move_line(sizes[0], to, to_steps[0], of, of_steps[0], item)
    else:
        for i in range(sizes[0]):
            move(nd - 1, sizes + 1, to + i * to_steps[0], to_steps + 1, of + i * of_steps[0], of_steps + 1, item)


cdef bint continues(cnp.ndarray out, cnp.ndarray x, int dim) noexcept:
    """Whether an array fits another in all dimensions but one."""
    cdef int i
    if cnp.PyArray_NDIM(x) != cnp.PyArray_NDIM(out):
        return False
    for i in range(cnp.PyArray_NDIM(out)):
        if i != dim and cnp.PyArray_DIM(x, i) != cnp.PyArray_DIM(out, i):
            return False
    return True


def concatenate(cnp.ndarray out not None, list arrays not None, int dim):
    """Arrays one after the other along a dimension."""
    cdef cnp.ndarray x
    cdef Py_ssize_t total = 0
    cdef char *to = <char *>cnp.PyArray_DATA(out)
    check_dim(dim, out)
    for array in arrays:
        x = <cnp.ndarray?>array
        if not is_movable(out, x) or not continues(out, x, dim):
            return False
        total += cnp.PyArray_DIM(x, dim)
    if total != cnp.PyArray_DIM(out, dim):
        return False
    for array in arrays:
        x = <cnp.ndarray>array
        move(cnp.PyArray_NDIM(x), cnp.PyArray_DIMS(x), to, cnp.PyArray_STRIDES(out), <char *>cnp.PyArray_DATA(x),
             cnp.PyArray_STRIDES(x), cnp.PyArray_ITEMSIZE(x))
        to += cnp.PyArray_DIM(x, dim) * cnp.PyArray_STRIDE(out, dim)
    return True


def stack(cnp.ndarray out not None, list arrays not None, int dim):
    """Arrays of one shape along a new dimension."""
    cdef intp steps[MAX_DIMS]
    cdef cnp.ndarray x
    cdef int nd = cnp.PyArray_NDIM(out), d
    cdef char *to = <char *>cnp.PyArray_DATA(out)
    if cnp.PyArray_DIM(out, check_dim(dim, out)) != len(arrays):
        return False
    for array in arrays:
        x = <cnp.ndarray?>array
        if not is_movable(out, x) or cnp.PyArray_NDIM(x) != nd - 1:
            return False
        for d in range(nd - 1):
            if cnp.PyArray_DIM(x, d) != cnp.PyArray_DIM(out, d + (d >= dim)):
                return False
    for d in range(nd - 1):
        steps[d] = cnp.PyArray_STRIDE(out, d + (d >= dim))
    for array in arrays:
        x = <cnp.ndarray>array
        move(nd - 1, cnp.PyArray_DIMS(x), to, steps, <char *>cnp.PyArray_DATA(x), cnp.PyArray_STRIDES(x),
             cnp.PyArray_ITEMSIZE(x))
        to += cnp.PyArray_STRIDE(out, dim)
    return True


cdef struct pieces:
    # rows of a result, each of which is made of a piece of every array
    char *to
    const char **of
    Py_ssize_t *sizes  # in bytes
    Py_ssize_t count
    Py_ssize_t row_size


cdef void join_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Blocks of rows, so that pieces of a few bytes are moved by one loop and meet in the cache."""
    cdef const pieces *p = <const pieces *>job
    cdef char *at[2]
    cdef Py_ssize_t steps[2]
    cdef Py_ssize_t first, last, offset, size, k, i
    first = begin
    while first < end:
        last, offset = min(first + ROWS_TOGETHER, end), 0
        for k in range(p.count):
            size = p.sizes[k]
            at[0], at[1] = p.to + first * p.row_size + offset, <char *>p.of[k] + first * size
            if size <= FEW_BYTES and move_loops[size] != NULL:
                steps[0], steps[1] = p.row_size, size
                move_loops[size](at, steps, last - first, NULL)
            else:
                for i in range(last - first):
                    memcpy(at[0] + i * p.row_size, at[1] + i * size, size)
            offset += size
        first = last


def join(cnp.ndarray out not None, list arrays not None, Py_ssize_t rows):
    """Rows of a contiguous result, one piece of every contiguous array after the other; False for other arrays."""
    cdef Py_ssize_t count = len(arrays), k, total = 0, size
    cdef cnp.ndarray x
    cdef pieces p
    if rows < 1 or not count or not cnp.PyArray_IS_C_CONTIGUOUS(out):
        return False
    for array in arrays:
        x = <cnp.ndarray?>array
        size = cnp.PyArray_NBYTES(x)
        if not is_of_one_type(out, x) or not cnp.PyArray_IS_C_CONTIGUOUS(x) or size % rows or not is_apart(out, x):
            return False
        total += size
    if total != cnp.PyArray_NBYTES(out) or not total:
        return False
    p.of, p.sizes = <const char **>malloc(count * sizeof(char *)), <Py_ssize_t *>malloc(count * sizeof(Py_ssize_t))
    try:
        if p.of == NULL or p.sizes == NULL:
            raise MemoryError
        p.to, p.count, p.row_size = <char *>cnp.PyArray_DATA(out), count, total // rows
        for k in range(count):
            x = <cnp.ndarray>arrays[k]
            p.of[k], p.sizes[k] = <const char *>cnp.PyArray_DATA(x), cnp.PyArray_NBYTES(x) // rows
        with nogil:
            share_out(rows, LONG * 4 // p.row_size + 1, join_rows, &p)
    finally:
        free(p.of)
        free(p.sizes)
    return True


def flip(cnp.ndarray out not None, cnp.ndarray x not None, tuple dims not None):
    """Some dimensions, each named once, in reverse order of their indices."""
    cdef intp steps[MAX_DIMS]
    cdef int nd = cnp.PyArray_NDIM(x), d
    cdef const char *of = <char *>cnp.PyArray_DATA(x)
    if not is_movable(out, x) or not same_shape(out, x):
        return False
    if cnp.PyArray_SIZE(x) == 0:
        return True
    memcpy(steps, cnp.PyArray_STRIDES(x), nd * sizeof(intp))
    for dim in dims:
        d = check_dim(dim, x)
        of += (cnp.PyArray_DIM(x, d) - 1) * cnp.PyArray_STRIDE(x, d)
        steps[d] = -cnp.PyArray_STRIDE(x, d)
    move(nd, cnp.PyArray_DIMS(x), <char *>cnp.PyArray_DATA(out), cnp.PyArray_STRIDES(out), of, steps,
         cnp.PyArray_ITEMSIZE(x))
    return True


def roll(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t shift, int dim):
    """Elements shifted along a dimension; what leaves at one end comes in at the other. ``shift`` is 0 at least."""
    cdef intp sizes[MAX_DIMS]
    cdef int nd = cnp.PyArray_NDIM(x)
    cdef char *to = <char *>cnp.PyArray_DATA(out)
    cdef const char *of = <char *>cnp.PyArray_DATA(x)
    cdef Py_ssize_t size
    size = cnp.PyArray_DIM(x, check_dim(dim, x))
    if not 0 <= shift <= size:
        raise ValueError(f"kernel wants a shift from 0 to {size}, got {shift}")
    if not is_movable(out, x) or not same_shape(out, x):
        return False
    memcpy(sizes, cnp.PyArray_DIMS(x), nd * sizeof(intp))
    sizes[dim] = size - shift
    move(nd, sizes, to + shift * cnp.PyArray_STRIDE(out, dim), cnp.PyArray_STRIDES(out), of, cnp.PyArray_STRIDES(x),
         cnp.PyArray_ITEMSIZE(x))
    sizes[dim] = shift
    move(nd, sizes, to, cnp.PyArray_STRIDES(out), of + (size - shift) * cnp.PyArray_STRIDE(x, dim),
         cnp.PyArray_STRIDES(x), cnp.PyArray_ITEMSIZE(x))
    return True


def repeat(cnp.ndarray out not None, cnp.ndarray x not None):
    """Copies of an array laid side by side until the result is full; its sizes are multiples of the array's."""
    cdef intp sizes[2 * MAX_DIMS]
    cdef intp to_steps[2 * MAX_DIMS]
    cdef intp of_steps[2 * MAX_DIMS]
    cdef int nd = cnp.PyArray_NDIM(out), lead = nd - cnp.PyArray_NDIM(x), used = 0, d
    cdef Py_ssize_t n, step
    if not is_movable(out, x) or lead < 0:
        return False
    if cnp.PyArray_SIZE(out) == 0:
        return True
    for d in range(nd):
        n = 1 if d < lead else cnp.PyArray_DIM(x, d - lead)
        step = 0 if d < lead else cnp.PyArray_STRIDE(x, d - lead)
        if n == 0 or cnp.PyArray_DIM(out, d) % n:
            return False
        if n != cnp.PyArray_DIM(out, d):  # the copies, then what is copied
            sizes[used], of_steps[used] = cnp.PyArray_DIM(out, d) // n, 0
            to_steps[used] = n * cnp.PyArray_STRIDE(out, d)
            used += 1
        if n != 1:
            sizes[used], of_steps[used], to_steps[used] = n, step, cnp.PyArray_STRIDE(out, d)
            used += 1
    move(used, sizes, <char *>cnp.PyArray_DATA(out), to_steps, <char *>cnp.PyArray_DATA(x), of_steps,
         cnp.PyArray_ITEMSIZE(x))
    return True


ctypedef struct triangles:
    char *to
    const char *of
    Py_ssize_t rows
    Py_ssize_t columns
    Py_ssize_t diagonal
    Py_ssize_t item
    bint lower


cdef void keep_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Rows of matrices that follow each other."""
    cdef const triangles *t = <const triangles *>job
    cdef Py_ssize_t size = t.columns * t.item, i, edge, first, last
    cdef char *to
    for i in range(begin, end):
        edge = i % t.rows + t.diagonal + t.lower  # the first column above, or on, the diagonal
        edge = max(min(edge, t.columns), 0) * t.item
        first = 0 if t.lower else edge
        last = edge if t.lower else size
        to = t.to + i * size
        if t.to != t.of:
            memcpy(to + first, t.of + i * size + first, last - first)
        memset(to, 0, first)
        memset(to + last, 0, size - last)


def triangle(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t diagonal, bint lower):
    """Of contiguous matrices, what lies on a diagonal and below, or above, it; zero elsewhere. They may be one."""
    cdef int nd = cnp.PyArray_NDIM(x)
    cdef triangles t
    cdef Py_ssize_t lines
    if not (cnp.PyArray_IS_C_CONTIGUOUS(out) and cnp.PyArray_IS_C_CONTIGUOUS(x)):
        raise ValueError("kernel wants contiguous matrices")
    if not is_of_one_type(out, x) or not same_shape(out, x) or nd < 2:
        return False
    if cnp.PyArray_SIZE(x) == 0:
        return True
    t.to, t.of, t.item = <char *>cnp.PyArray_DATA(out), <char *>cnp.PyArray_DATA(x), cnp.PyArray_ITEMSIZE(x)
    t.rows, t.columns, t.lower = cnp.PyArray_DIM(x, nd - 2), cnp.PyArray_DIM(x, nd - 1), lower
    t.diagonal = max(min(diagonal, t.columns), -t.rows)
    lines = cnp.PyArray_SIZE(x) // t.columns
    if cnp.PyArray_SIZE(x) <= LONG:
        keep_rows(&t, 0, lines)
    else:
        with nogil:
            share_out(lines, LONG // t.columns + 1, keep_rows, &t)
    return True
