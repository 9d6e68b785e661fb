# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resampling over the last one to three dimensions.

All dimensions before those are planes; sizes come from the arrays. `scales` has a number for each dimension: the factor
that was asked for, 0 where the sizes tell it, or -1 where the dimension is left alone, as channels that lie last are.
Gradients are the same sums, taken backwards; they are written whole.
"""
cimport numpy as cnp
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from ..pool cimport share_out
from .arrays cimport data, into, is_real

from ..half_precision import in_float32
from ..reference import interpolation as reference

cnp.import_array()

cdef extern from "resample.h" nogil:
    enum: AXES
    enum: NEAREST, NEAREST_EXACT, LINEAR, CUBIC, LINEAR_SMOOTH, CUBIC_SMOOTH, LANCZOS_SMOOTH
    ctypedef struct Axis:
        Py_ssize_t size_in "in"
        Py_ssize_t out, width
        int skip
        int32_t* at
        int32_t* count
        void* weight
        unsigned char* used
    Py_ssize_t taps_of(int, Py_ssize_t, Py_ssize_t, int, double)
    void fill_axis_any(bint, Axis*, int, int, double)
    void resample_any(bint, void*, void*, Py_ssize_t, Axis*, void*)
    void resample_backward_any(bint, void*, void*, Py_ssize_t, Axis*, void*)

cdef enum:
    WORK = 131_072  # bytes of planes that one thread takes at a time
    LARGEST = 2_147_483_647  # elements along a dimension: they are counted as 32-bit numbers


cdef Py_ssize_t describe(Axis* axes, cnp.ndarray x, cnp.ndarray out, Py_ssize_t rank) except -1:
    """The sizes along each axis; returns the number of planes."""
    cdef int dims = cnp.PyArray_NDIM(x), i, at
    cdef Py_ssize_t planes = 1
    cdef bint fits = 1 <= rank <= AXES and cnp.PyArray_NDIM(out) == dims and dims >= rank
    if fits:
        for i in range(dims - rank):
            fits = fits and cnp.PyArray_DIM(out, i) == cnp.PyArray_DIM(x, i)
            planes *= cnp.PyArray_DIM(x, i)
    if fits:
        for i in range(AXES):
            at = dims - AXES + i
            axes[i].skip = i < AXES - rank
            axes[i].size_in = 1 if axes[i].skip else cnp.PyArray_DIM(x, at)
            axes[i].out = 1 if axes[i].skip else cnp.PyArray_DIM(out, at)
            fits = fits and 0 < axes[i].size_in < LARGEST and 0 < axes[i].out < LARGEST
    if not fits:
        raise ValueError(f"interpolation over {rank} dimensions: {(<object>x).shape} and {(<object>out).shape} do not "
                         "fit")
    return planes


cdef int tabulate(Axis* axes, int mode, bint align_corners, tuple scales, bint single) except -1:
    """Fills in the tables, which the caller frees, whatever happens."""
    cdef Py_ssize_t i, cells, rank = len(scales)
    cdef double scale
    for i in range(AXES):
        axes[i].at = axes[i].count = NULL
        axes[i].weight = axes[i].used = NULL
    for i in range(AXES):
        scale = 0 if i < AXES - rank else scales[i - AXES + rank]
        axes[i].used = <unsigned char*>calloc(axes[i].size_in + 1, 1)
        # where nothing changes, torch leaves a smoothed axis alone
        axes[i].skip = axes[i].skip or scale < 0 or (mode >= LINEAR_SMOOTH and axes[i].size_in == axes[i].out)
        if scale < 0 and axes[i].size_in != axes[i].out:
            raise ValueError(f"interpolation: {axes[i].size_in} and {axes[i].out} elements in a dimension left alone")
        axes[i].width = taps_of(LINEAR if axes[i].skip else mode, axes[i].size_in, axes[i].out, align_corners, scale)
        if <double>axes[i].width * axes[i].out > LARGEST:
            raise ValueError(f"interpolation: too many elements count for each result, with scales {scales}")
        cells = axes[i].width * axes[i].out
        axes[i].at = <int32_t*>malloc(cells * sizeof(int32_t) + 1)
        axes[i].weight = malloc(cells * sizeof(double) + 1)
        if mode >= LINEAR_SMOOTH and not axes[i].skip:
            axes[i].count = <int32_t*>malloc(axes[i].out * sizeof(int32_t) + 1)
            if axes[i].count == NULL:
                raise MemoryError
        if axes[i].used == NULL or axes[i].at == NULL or axes[i].weight == NULL:
            raise MemoryError
        # an axis that is skipped is still asked which of its elements are used: all of them
        fill_axis_any(single, &axes[i], LINEAR if axes[i].skip else mode, align_corners, 0 if axes[i].skip else scale)
    return 0


cdef struct Planes:
    # planes that are resampled by the same axes, and the bytes of each
    Axis* axes
    bint single, back, lacks_memory
    char* to
    char* of
    Py_ssize_t to_plane, of_plane, room


cdef void resample_planes(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Planes* p = <Planes*>job
    cdef void* room = malloc(p.room)
    cdef char* to = p.to + begin * p.to_plane
    cdef char* of = p.of + begin * p.of_plane
    if room == NULL:
        p.lacks_memory = True
    elif p.back:
        resample_backward_any(p.single, to, of, end - begin, p.axes, room)
    else:
        resample_any(p.single, to, of, end - begin, p.axes, room)
    free(room)


cdef int run(cnp.ndarray out, cnp.ndarray x, int mode, bint align_corners, tuple scales, bint back) except -1:
    """Resamples x into out or, going back, the gradient of the result (x) into that of the input (out)."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return 0
    cdef Axis[3] axes
    cdef Planes job
    cdef cnp.ndarray small = out if back else x, large = x if back else out
    if cnp.PyArray_SIZE(x) == 0 and cnp.PyArray_SIZE(out) == 0:
        return 1
    cdef Py_ssize_t planes = describe(axes, small, large, len(scales)), i
    cdef char* to = <char*>into(out, kind, cnp.PyArray_SIZE(out))
    cdef char* of = <char*>data(x, kind, cnp.PyArray_SIZE(x))
    cdef bint single = kind == cnp.NPY_FLOAT
    try:
        tabulate(axes, mode, align_corners, scales, single)
        job.axes, job.single, job.back, job.lacks_memory, job.to, job.of = axes, single, back, False, to, of
        job.to_plane, job.of_plane = cnp.PyArray_NBYTES(out) // max(planes, 1), cnp.PyArray_NBYTES(x) // max(planes, 1)
        job.room = axes[0].size_in * (axes[1].size_in + axes[1].out) * axes[2].out * sizeof(double) + 1
        with nogil:
            share_out(planes, WORK // (job.to_plane + job.of_plane + 1) + 1, resample_planes, &job)
        if job.lacks_memory:
            raise MemoryError
    finally:
        for i in range(AXES):
            free(axes[i].used)
            free(axes[i].at)
            free(axes[i].count)
            free(axes[i].weight)
    return 1


def upsample_nearest(cnp.ndarray out not None, cnp.ndarray x not None, tuple scales not None):
    """Each output is the input that its lower corner falls into."""
    if not run(out, x, NEAREST, False, scales, False):
        reference.upsample_nearest(out, x, scales)


def upsample_nearest_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, tuple scales not None):
    """Gradient of upsample_nearest."""
    if not run(grad_in, grad_out, NEAREST, False, scales, True):
        in_float32(upsample_nearest_backward, 1, grad_in, grad_out, scales)


def upsample_nearest_exact(cnp.ndarray out not None, cnp.ndarray x not None, tuple scales not None):
    """Each output is the input that its centre falls into."""
    if not run(out, x, NEAREST_EXACT, False, scales, False):
        reference.upsample_nearest_exact(out, x, scales)


def upsample_nearest_exact_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, tuple scales not None):
    """Gradient of upsample_nearest_exact."""
    if not run(grad_in, grad_out, NEAREST_EXACT, False, scales, True):
        in_float32(upsample_nearest_exact_backward, 1, grad_in, grad_out, scales)


def upsample_linear(cnp.ndarray out not None, cnp.ndarray x not None, bint align_corners, tuple scales not None):
    """Along each dimension, a mix of the two inputs beside the output."""
    if not run(out, x, LINEAR, align_corners, scales, False):
        in_float32(upsample_linear, 1, out, x, align_corners, scales)


def upsample_linear_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, bint align_corners,
                    tuple scales not None):
    """Gradient of upsample_linear."""
    if not run(grad_in, grad_out, LINEAR, align_corners, scales, True):
        in_float32(upsample_linear_backward, 1, grad_in, grad_out, align_corners, scales)


def upsample_cubic(cnp.ndarray out not None, cnp.ndarray x not None, bint align_corners, tuple scales not None):
    """Along each dimension, a mix of the four inputs around the output, by Keys' kernel with a = -0.75."""
    if not run(out, x, CUBIC, align_corners, scales, False):
        in_float32(upsample_cubic, 1, out, x, align_corners, scales)


def upsample_cubic_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, bint align_corners,
                   tuple scales not None):
    """Gradient of upsample_cubic."""
    if not run(grad_in, grad_out, CUBIC, align_corners, scales, True):
        in_float32(upsample_cubic_backward, 1, grad_in, grad_out, align_corners, scales)


def upsample_linear_smooth(cnp.ndarray out not None, cnp.ndarray x not None, bint align_corners, tuple scales not None):
    """upsample_linear with a kernel as wide as what an output stands for, so that nothing is left out (antialias)."""
    if not run(out, x, LINEAR_SMOOTH, align_corners, scales, False):
        in_float32(upsample_linear_smooth, 1, out, x, align_corners, scales)


def upsample_linear_smooth_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, bint align_corners,
                           tuple scales not None):
    """Gradient of upsample_linear_smooth."""
    if not run(grad_in, grad_out, LINEAR_SMOOTH, align_corners, scales, True):
        in_float32(upsample_linear_smooth_backward, 1, grad_in, grad_out, align_corners, scales)


def upsample_cubic_smooth(cnp.ndarray out not None, cnp.ndarray x not None, bint align_corners, tuple scales not None):
    """upsample_cubic with a kernel as wide as what an output stands for, and a = -0.5 (antialias)."""
    if not run(out, x, CUBIC_SMOOTH, align_corners, scales, False):
        in_float32(upsample_cubic_smooth, 1, out, x, align_corners, scales)


def upsample_cubic_smooth_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, bint align_corners,
                          tuple scales not None):
    """Gradient of upsample_cubic_smooth."""
    if not run(grad_in, grad_out, CUBIC_SMOOTH, align_corners, scales, True):
        in_float32(upsample_cubic_smooth_backward, 1, grad_in, grad_out, align_corners, scales)


def upsample_lanczos_smooth(cnp.ndarray out not None, cnp.ndarray x not None, bint align_corners,
                            tuple scales not None):
    """As upsample_linear_smooth, by Lanczos' kernel over three elements to each side (antialias)."""
    if not run(out, x, LANCZOS_SMOOTH, align_corners, scales, False):
        in_float32(upsample_lanczos_smooth, 1, out, x, align_corners, scales)


def upsample_lanczos_smooth_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, bint align_corners,
                                     tuple scales not None):
    """Gradient of upsample_lanczos_smooth."""
    if not run(grad_in, grad_out, LANCZOS_SMOOTH, align_corners, scales, True):
        in_float32(upsample_lanczos_smooth_backward, 1, grad_in, grad_out, align_corners, scales)
