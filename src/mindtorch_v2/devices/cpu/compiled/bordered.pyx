# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Arrays (planes, d, h, w) with borders that show elements of them, and gradients of those added back."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from ..pool cimport share_out, stretch
from .arrays cimport data, elements, extent, into
from .walk cimport BFLOAT16, FLOAT16, NOT_HALF, half_kind

from ..reference import bordered as reference

cnp.import_array()

cdef extern from "bordered.h" nogil:
    ctypedef struct Bordered:
        Py_ssize_t[3] size_in "in"
        Py_ssize_t[3] out
        const int64_t *shown[3]
        void* to
        void* of
    void find_inside(Bordered* b)
    void show_places_1(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void show_places_2(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void show_places_4(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void show_places_8(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void add_places_f32(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void add_places_f64(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void add_places_f16(void* job, Py_ssize_t first, Py_ssize_t past) noexcept
    void add_places_bf16(void* job, Py_ssize_t first, Py_ssize_t past) noexcept

cdef enum:
    WORK = 32_768  # elements that one thread takes at a time


cdef int describe(Bordered* b, cnp.ndarray plain, cnp.ndarray padded, list shown) except -1:
    """The sizes of both arrays, and the element that each place shows, which must be there."""
    cdef int axis
    cdef Py_ssize_t i
    if cnp.PyArray_NDIM(plain) != 4 or cnp.PyArray_NDIM(padded) != 4 or extent(plain, 0) != extent(padded, 0):
        raise ValueError(f"borders: {(<object>plain).shape} does not give {(<object>padded).shape}")
    for axis in range(3):
        b.size_in[axis], b.out[axis] = extent(plain, axis + 1), extent(padded, axis + 1)
        b.shown[axis] = <const int64_t*>data(<cnp.ndarray?>shown[axis], cnp.NPY_INT64, b.out[axis])
        for i in range(b.out[axis]):
            if not 0 <= b.shown[axis][i] < b.size_in[axis]:
                raise ValueError(f"borders: element {b.shown[axis][i]} of {b.size_in[axis]} cannot be shown")
    find_inside(b)
    return 0


cdef inline Py_ssize_t size_of(cnp.ndarray a) except -1:
    return elements(extent(a, 0), extent(a, 1), elements(extent(a, 2), extent(a, 3), 1))


cdef inline Py_ssize_t chunk_of(Bordered* b) noexcept nogil:
    """How many planes one thread takes at a time."""
    return WORK // (b.out[0] * b.out[1] * b.out[2] + 1) + 1


cdef stretch loop_that_shows(cnp.ndarray x) noexcept:
    """Elements are only moved, so it is their size that counts; NULL if they are of another, or no numbers."""
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(x)
    if not (cnp.PyArray_ISNUMBER(x) or cnp.PyArray_ISBOOL(x) or half_kind(x) != NOT_HALF):
        return NULL
    if size == 1:
        return show_places_1
    if size == 2:
        return show_places_2
    if size == 4:
        return show_places_4
    return show_places_8 if size == 8 else <stretch>NULL


cdef stretch loop_that_adds(cnp.ndarray grad) noexcept:
    cdef int kind = cnp.PyArray_TYPE(grad), half = half_kind(grad)
    if kind == cnp.NPY_FLOAT:
        return add_places_f32
    if kind == cnp.NPY_DOUBLE:
        return add_places_f64
    if half == FLOAT16:
        return add_places_f16
    return add_places_bf16 if half == BFLOAT16 else <stretch>NULL


cdef int each_plane(stretch loop, cnp.ndarray to, cnp.ndarray of, list shown, bint is_back) except -1:
    """Planes are shared out among threads. Of gradients, `of` is the padded array."""
    cdef int kind = cnp.PyArray_TYPE(of)
    cdef Py_ssize_t planes = extent(to, 0)
    cdef Bordered b
    describe(&b, to if is_back else of, of if is_back else to, shown)
    b.to, b.of = into(to, kind, size_of(to)), data(of, kind, size_of(of))
    with nogil:
        share_out(planes, chunk_of(&b), loop, &b)
    return 0


def show_places(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray d not None, cnp.ndarray h not None,
                cnp.ndarray w not None):
    """out[p, i, j, k] = x[p, d[i], h[j], w[k]]."""
    cdef stretch loop = loop_that_shows(x)
    if loop == NULL:
        return reference.show_places(out, x, d, h, w)
    each_plane(loop, out, x, [d, h, w], False)


def add_places(cnp.ndarray grad_x not None, cnp.ndarray grad not None, cnp.ndarray d not None, cnp.ndarray h not None,
               cnp.ndarray w not None):
    """grad_x[p, d[i], h[j], w[k]] += grad[p, i, j, k]; it comes zero-filled."""
    cdef stretch loop = loop_that_adds(grad)
    if loop == NULL:
        return reference.add_places(grad_x, grad, d, h, w)
    each_plane(loop, grad_x, grad, [d, h, w], True)
