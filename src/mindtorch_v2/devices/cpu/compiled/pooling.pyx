# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Largest elements and means of windows over the last one to three dimensions; all dimensions before are planes.

Planes follow each other, or are the channels of images that lie last in memory. Sizes come from the arrays. Kernel, stride, padding and dilation are tuples with a number for each dimension of the
window; where there is none, `rank` says how many dimensions that are. Positions count within a plane.
"""
cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport data, into, is_real

from ..half_precision import in_float32, is_half
from ..reference import pooling as reference

cnp.import_array()
TAKES_LAST = True  # whether images of floats may lie with their channels last

cdef extern from "window.h" nogil:
    enum: AXES
    ctypedef struct Window:
        Py_ssize_t planes, channels
        Py_ssize_t[3] size_in "in"
        Py_ssize_t[3] out
        Py_ssize_t[3] kernel
        Py_ssize_t[3] stride
        Py_ssize_t[3] padding
        Py_ssize_t[3] dilation
    Py_ssize_t volume(Py_ssize_t*)

cdef extern from "max_pool.h" nogil:
    void max_pool_any(bint, void*, int64_t*, void*, Window*, int32_t*)
    void max_pool_backward_any(bint, void*, void*, int64_t*, Py_ssize_t, Py_ssize_t, Py_ssize_t)
    void adaptive_max_pool_any(bint, void*, int64_t*, void*, Window*, void*)
    void fractional_max_pool_any(bint, void*, int64_t*, void*, void*, int*, int, Window*, void*)
    Py_ssize_t max_unpool_any(bint, void*, void*, int64_t*, Py_ssize_t, Py_ssize_t, Py_ssize_t)

cdef extern from "average_pool.h" nogil:
    void avg_pool_any(bint, void*, void*, Window*, int, Py_ssize_t, void*)
    void avg_pool_backward_any(bint, void*, void*, Window*, int, Py_ssize_t, void*)
    void adaptive_avg_pool_any(bint, void*, void*, Window*)
    void adaptive_avg_pool_backward_any(bint, void*, void*, Window*)

cdef extern from "pool_last.h" nogil:
    void max_pool_last_any(bint, void*, int64_t*, void*, Window*, Py_ssize_t, Py_ssize_t, int32_t*)
    void adaptive_max_pool_last_any(bint, void*, int64_t*, void*, Window*, Py_ssize_t, Py_ssize_t, int32_t*)
    void max_pool_last_backward_any(bint, void*, void*, int64_t*, Window*, Py_ssize_t, Py_ssize_t)
    void avg_pool_last_any(bint, void*, void*, Window*, Py_ssize_t, Py_ssize_t, int, Py_ssize_t)
    void avg_pool_last_backward_any(bint, void*, void*, Window*, Py_ssize_t, Py_ssize_t, int, Py_ssize_t, void*)
    void adaptive_avg_pool_last_any(bint, void*, void*, Window*, Py_ssize_t, Py_ssize_t)
    void adaptive_avg_pool_last_backward_any(bint, void*, void*, Window*, Py_ssize_t, Py_ssize_t, void*)

cdef enum:
    WIDEST = 16_777_216  # the largest kernel, stride, padding and dilation
    WORK = 32_768  # elements that one thread takes at a time
    LARGEST = 2_147_483_647  # elements of a plane: positions are found as 32-bit numbers


cdef int describe(Window* w, cnp.ndarray x, cnp.ndarray out, Py_ssize_t rank) except -1:
    """The planes of x and of out, and their sizes."""
    cdef int dims = cnp.PyArray_NDIM(x), axis, at
    cdef bint fits = 1 <= rank <= AXES and cnp.PyArray_NDIM(out) == dims and dims >= rank
    w.planes, w.channels = 1, 0
    if fits:
        for axis in range(dims - rank):
            fits = fits and cnp.PyArray_DIM(out, axis) == cnp.PyArray_DIM(x, axis)
            w.planes *= cnp.PyArray_DIM(x, axis)
    if not fits:
        raise ValueError(f"pooling over {rank} dimensions: {(<object>x).shape} and {(<object>out).shape} do not fit")
    for axis in range(AXES):
        at = dims - AXES + axis
        w.size_in[axis] = cnp.PyArray_DIM(x, at) if axis >= AXES - rank else 1
        w.out[axis] = cnp.PyArray_DIM(out, at) if axis >= AXES - rank else 1
        w.kernel[axis] = w.stride[axis] = w.dilation[axis] = 1
        w.padding[axis] = 0
    if <double>w.size_in[0] * w.size_in[1] * w.size_in[2] > LARGEST:
        raise ValueError(f"pooling: a plane of {(<object>x).shape} has more elements than 32 bits can count")
    return 0


cdef int fill(Py_ssize_t* to, tuple numbers, Py_ssize_t rank, Py_ssize_t least) except -1:
    """A number for each dimension of the window, the last one last."""
    cdef Py_ssize_t i, number
    if len(numbers) != rank:
        raise ValueError(f"pooling: {rank} numbers wanted, got {numbers}")
    for i in range(rank):
        number = numbers[i]
        if not least <= number <= WIDEST:
            raise ValueError(f"pooling: numbers from {least} to {WIDEST} wanted, got {numbers}")
        to[AXES - rank + i] = number
    return 0


cdef int slide(Window* w, cnp.ndarray x, cnp.ndarray out, tuple kernel, tuple stride, tuple padding,
               tuple dilation) except -1:
    cdef Py_ssize_t rank = len(kernel)
    describe(w, x, out, rank)
    fill(w.kernel, kernel, rank, 1)
    fill(w.stride, stride, rank, 1)
    fill(w.padding, padding, rank, 0)
    fill(w.dilation, dilation, rank, 1)
    return 0


cdef int share(Window* w, cnp.ndarray x, cnp.ndarray out, Py_ssize_t rank) except -1:
    """For adaptive pooling, which divides what is there."""
    describe(w, x, out, rank)
    if volume(w.size_in) == 0 and volume(w.out) != 0:
        raise ValueError(f"pooling: nothing to share out in {(<object>x).shape}")
    return 0


cdef inline Py_ssize_t inputs(Window* w) noexcept:
    return w.planes * volume(w.size_in)


cdef inline Py_ssize_t outputs(Window* w) noexcept:
    return w.planes * volume(w.out)


cdef enum Pooling:
    MAX, MAX_BACKWARD, ADAPTIVE_MAX, MEAN, MEAN_BACKWARD, ADAPTIVE_MEAN, ADAPTIVE_MEAN_BACKWARD


cdef struct Planes:
    # what is done with each plane; `to` is written, `of` read
    Pooling what
    Window w
    bint single, padding_too, lacks_memory
    char* to
    char* of
    int64_t* indices
    Py_ssize_t to_plane, of_plane, divisor  # bytes of a plane, and what sums are divided by if it is not 0


cdef void pool_planes(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Planes* p = <Planes*>job
    cdef Window w = p.w
    cdef void* room = malloc((max(2 * w.size_in[2], w.out[2]) + 1) * sizeof(double))
    cdef void* to = p.to + begin * p.to_plane
    cdef void* of = p.of + begin * p.of_plane
    cdef int64_t* at = p.indices + begin * volume(w.out) if p.indices != NULL else NULL
    w.planes = end - begin
    if room == NULL:
        p.lacks_memory = True
    elif p.what == MAX:
        max_pool_any(p.single, to, at, of, &w, <int32_t*>room)
    elif p.what == MAX_BACKWARD:
        max_pool_backward_any(p.single, to, of, at, w.planes, volume(w.size_in), volume(w.out))
    elif p.what == ADAPTIVE_MAX:
        adaptive_max_pool_any(p.single, to, at, of, &w, room)
    elif p.what == MEAN:
        avg_pool_any(p.single, to, of, &w, p.padding_too, p.divisor, room)
    elif p.what == MEAN_BACKWARD:
        avg_pool_backward_any(p.single, to, of, &w, p.padding_too, p.divisor, room)
    elif p.what == ADAPTIVE_MEAN:
        adaptive_avg_pool_any(p.single, to, of, &w)
    else:
        adaptive_avg_pool_backward_any(p.single, to, of, &w)
    free(room)


cdef void pool_last(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Rows of outputs, or of gradients whole images, whose channels lie last."""
    cdef Planes* p = <Planes*>job
    cdef void* room = malloc(p.w.channels * sizeof(double))
    if room == NULL:
        p.lacks_memory = True
    elif p.what == MAX:
        max_pool_last_any(p.single, p.to, p.indices, p.of, &p.w, begin, end, <int32_t*>room)
    elif p.what == ADAPTIVE_MAX:
        adaptive_max_pool_last_any(p.single, p.to, p.indices, p.of, &p.w, begin, end, <int32_t*>room)
    elif p.what == MAX_BACKWARD:
        max_pool_last_backward_any(p.single, p.to, p.of, p.indices, &p.w, begin, end)
    elif p.what == MEAN:
        avg_pool_last_any(p.single, p.to, p.of, &p.w, begin, end, p.padding_too, p.divisor)
    elif p.what == MEAN_BACKWARD:
        avg_pool_last_backward_any(p.single, p.to, p.of, &p.w, begin, end, p.padding_too, p.divisor, room)
    elif p.what == ADAPTIVE_MEAN:
        adaptive_avg_pool_last_any(p.single, p.to, p.of, &p.w, begin, end)
    else:
        adaptive_avg_pool_last_backward_any(p.single, p.to, p.of, &p.w, begin, end, room)
    free(room)


cdef object channels_last(object a):
    """(N, C, *spatial) as (N, *spatial, C) if it lies so in memory, else None."""
    turned = a.transpose(0, *range(2, a.ndim), 1)
    return turned if turned.flags.c_contiguous else None


cdef bint turn_to_last(list arrays, Py_ssize_t rank) except -1:
    """Whether all of these lie in memory with their channels last; then they are turned to be seen so."""
    cdef cnp.ndarray a
    cdef bint in_order = True
    for a in arrays:
        in_order = in_order and cnp.PyArray_IS_C_CONTIGUOUS(a)
    if in_order or cnp.PyArray_NDIM(<cnp.ndarray>arrays[0]) != rank + 2:
        return False
    turned = [channels_last(a) for a in arrays]
    if any([a is None for a in turned]):
        return False
    arrays[:] = turned
    return True


cdef int each_plane(Planes* p, Pooling what, cnp.ndarray to, cnp.ndarray of, object indices, Py_ssize_t rank) except -1:
    """Planes are shared out among threads. Of gradients, `to` is as large as the input."""
    cdef int kind = cnp.PyArray_TYPE(of)
    cdef bint is_back = what == MAX_BACKWARD or what == MEAN_BACKWARD or what == ADAPTIVE_MEAN_BACKWARD
    cdef Py_ssize_t inside = volume(p.w.size_in), outside = volume(p.w.out), size = cnp.PyArray_ITEMSIZE(of), rows
    cdef list arrays = [to, of] if indices is None else [to, of, indices]
    cdef bint is_last = (what != MAX or indices is not None) and turn_to_last(arrays, rank)
    p.what, p.single, p.lacks_memory, p.indices = what, kind == cnp.NPY_FLOAT, False, NULL
    p.to_plane, p.of_plane = (inside if is_back else outside) * size, (outside if is_back else inside) * size
    p.to = <char*>into(<cnp.ndarray?>arrays[0], kind, p.w.planes * (inside if is_back else outside))
    p.of = <char*>data(<cnp.ndarray?>arrays[1], kind, p.w.planes * (outside if is_back else inside))
    if indices is not None and is_back:
        p.indices = <int64_t*>data(<cnp.ndarray?>arrays[2], cnp.NPY_INT64, p.w.planes * outside)
    elif indices is not None:
        p.indices = <int64_t*>into(<cnp.ndarray?>arrays[2], cnp.NPY_INT64, p.w.planes * outside)
    if not is_last:
        with nogil:
            share_out(p.w.planes, WORK // (inside + outside + 1) + 1, pool_planes, p)
    elif p.w.planes * (inside + outside) > 0:
        p.w.channels = cnp.PyArray_DIM(to, 1)
        p.w.planes //= p.w.channels
        rows = p.w.planes * (1 if is_back else p.w.out[0] * p.w.out[1])
        with nogil:
            share_out(rows, WORK * rows // (p.w.planes * (inside + outside) * p.w.channels) + 1, pool_last, p)
    if p.lacks_memory:
        raise MemoryError
    return 0


def max_pool(cnp.ndarray out not None, cnp.ndarray indices, cnp.ndarray x not None, tuple kernel not None,
             tuple stride not None, tuple padding not None, tuple dilation not None):
    """The largest element of each window and, where asked for, its position; a NaN is larger than everything."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        if not is_half(x):
            return reference.max_pool(out, indices, x, kernel, stride, padding, dilation)
        return in_float32(max_pool, 1, out, indices, x, kernel, stride, padding, dilation)
    cdef Planes p
    slide(&p.w, x, out, kernel, stride, padding, dilation)
    each_plane(&p, MAX, out, x, indices, len(kernel))


def max_pool_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray indices not None,
                      Py_ssize_t rank):
    """Each gradient added to the element that was the largest; grad_in comes zero-filled."""
    cdef int kind = cnp.PyArray_TYPE(grad_out)
    if not is_real(kind):
        return in_float32(max_pool_backward, 1, grad_in, grad_out, indices, rank)
    cdef Planes p
    describe(&p.w, grad_in, grad_out, rank)
    each_plane(&p, MAX_BACKWARD, grad_in, grad_out, indices, rank)


def adaptive_max_pool(cnp.ndarray out not None, cnp.ndarray indices not None, cnp.ndarray x not None, Py_ssize_t rank):
    """The input shared out among the outputs: the largest element of each share and its position."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(adaptive_max_pool, 1, out, indices, x, rank)
    cdef Planes p
    share(&p.w, x, out, rank)
    each_plane(&p, ADAPTIVE_MAX, out, x, indices, rank)


def fractional_max_pool(cnp.ndarray out not None, cnp.ndarray indices not None, cnp.ndarray x not None,
                        cnp.ndarray samples not None, tuple kernel not None):
    """The largest element of windows that begin where `samples`, `rank` numbers in [0, 1) for each plane, put them."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(fractional_max_pool, 1, out, indices, x, samples, kernel)
    cdef Py_ssize_t rank = len(kernel), i
    cdef Window w
    describe(&w, x, out, rank)
    fill(w.kernel, kernel, rank, 1)
    cdef int[3] place
    for i in range(AXES):
        if w.kernel[i] > w.size_in[i]:
            raise ValueError(f"fractional_max_pool: a window of {kernel} does not fit into {(<object>x).shape}")
        # torch takes the samples of two dimensions from the last to the first, those of three the other way round
        place[i] = -1 if i < AXES - rank else AXES - 1 - i if rank == 2 else i - (AXES - rank)
    cdef void* drawn = data(samples, kind, w.planes * rank)
    # a sample outside of [0, 1) would ask for windows that do not exist
    if not ((<object>samples >= 0) & (<object>samples < 1)).all():
        raise ValueError("fractional_max_pool: samples from 0 to 1 wanted")
    cdef void* to = into(out, kind, outputs(&w))
    cdef int64_t* at = <int64_t*>into(indices, cnp.NPY_INT64, outputs(&w))
    cdef void* of = data(x, kind, inputs(&w))
    cdef void* room = malloc((2 * w.size_in[2] + 1) * sizeof(double))
    if room == NULL:
        raise MemoryError
    fractional_max_pool_any(kind == cnp.NPY_FLOAT, to, at, of, drawn, place, <int>rank, &w, room)
    free(room)


def max_unpool(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray indices not None, Py_ssize_t rank):
    """Each element put where its index says; returns the last index that is none of the plane, or None."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(max_unpool, 1, out, x, indices, rank)
    cdef Window w
    describe(&w, x, out, rank)
    cdef int64_t* at = <int64_t*>data(indices, cnp.NPY_INT64, inputs(&w))
    cdef Py_ssize_t bad = max_unpool_any(kind == cnp.NPY_FLOAT, into(out, kind, outputs(&w)),
                                         data(x, kind, inputs(&w)), at, w.planes, volume(w.size_in), volume(w.out))
    return None if bad < 0 else at[bad]


def avg_pool(cnp.ndarray out not None, cnp.ndarray x not None, tuple kernel not None, tuple stride not None,
             tuple padding not None, bint count_include_pad, Py_ssize_t divisor_override):
    """The mean of each window: its sum over divisor_override or, where that is 0, over its number of elements."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        if not is_half(x):
            return reference.avg_pool(out, x, kernel, stride, padding, count_include_pad, divisor_override)
        return in_float32(avg_pool, 1, out, x, kernel, stride, padding, count_include_pad, divisor_override)
    cdef Planes p
    slide(&p.w, x, out, kernel, stride, padding, (1,) * len(kernel))
    p.padding_too, p.divisor = count_include_pad, divisor_override
    each_plane(&p, MEAN, out, x, None, len(kernel))


def avg_pool_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, tuple kernel not None,
                      tuple stride not None, tuple padding not None, bint count_include_pad,
                      Py_ssize_t divisor_override):
    """Each gradient shared out among the elements of its window; grad_in comes zero-filled."""
    cdef int kind = cnp.PyArray_TYPE(grad_out)
    if not is_real(kind):
        return in_float32(avg_pool_backward, 1, grad_in, grad_out, kernel, stride, padding, count_include_pad,
                          divisor_override)
    cdef Planes p
    slide(&p.w, grad_in, grad_out, kernel, stride, padding, (1,) * len(kernel))
    p.padding_too, p.divisor = count_include_pad, divisor_override
    each_plane(&p, MEAN_BACKWARD, grad_in, grad_out, None, len(kernel))


def adaptive_avg_pool(cnp.ndarray out not None, cnp.ndarray x not None, Py_ssize_t rank):
    """The input shared out among the outputs: the mean of each share."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(adaptive_avg_pool, 1, out, x, rank)
    cdef Planes p
    share(&p.w, x, out, rank)
    each_plane(&p, ADAPTIVE_MEAN, out, x, None, rank)


def adaptive_avg_pool_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, Py_ssize_t rank):
    """Each gradient shared out among the elements of its share; grad_in comes zero-filled."""
    cdef int kind = cnp.PyArray_TYPE(grad_out)
    if not is_real(kind):
        return in_float32(adaptive_avg_pool_backward, 1, grad_in, grad_out, rank)
    cdef Planes p
    share(&p.w, grad_in, grad_out, rank)
    each_plane(&p, ADAPTIVE_MEAN_BACKWARD, grad_in, grad_out, None, rank)
