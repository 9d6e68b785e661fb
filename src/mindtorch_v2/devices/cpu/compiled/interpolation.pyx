# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resampling over the last one to three dimensions.

All dimensions before those are planes; sizes come from the arrays. `scales` has a number for each dimension: the factor
that was asked for, 0 where the sizes tell it, or -1 where the dimension is left alone, as channels that lie last are.
Gradients are the same sums, taken backwards; they are written whole.
"""
cimport numpy as cnp
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, data, into, is_real, refused

from ..half_precision import in_float32

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

cdef extern from "nearest.h" nogil:
    void nearest_plane(char*, const char*, Axis*, Py_ssize_t)

cdef extern from "byte_resample.h" nogil:
    enum: FEW, TURNED_ROWS
    ctypedef struct ByteAxis:
        Axis* axis
        const int16_t* weight
        int bits
        Py_ssize_t rows, inner
        uint8_t* to
        const uint8_t* x
        bint lacks_memory
    int whole_weights(int16_t*, Axis*)
    void mix_outputs(void*, Py_ssize_t, Py_ssize_t) noexcept
    void mix_turned(void*, Py_ssize_t, Py_ssize_t) noexcept

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


cdef void free_tables(Axis* axes) noexcept:
    cdef int i
    for i in range(AXES):
        free(axes[i].used)
        free(axes[i].at)
        free(axes[i].count)
        free(axes[i].weight)


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
        free_tables(axes)
    return 1


cdef void move_planes(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Planes* p = <Planes*>job
    cdef Py_ssize_t i
    for i in range(begin, end):
        nearest_plane(p.to + i * p.to_plane, p.of + i * p.of_plane, p.axes, p.room)


cdef int move(cnp.ndarray out, cnp.ndarray x, int mode, tuple scales) except -1:
    """The nearest elements of x, of any type, moved into out."""
    if cnp.PyArray_TYPE(x) != cnp.PyArray_TYPE(out) or cnp.PyArray_TYPE(x) == cnp.NPY_OBJECT:
        raise TypeError(f"elements of one type wanted, got {x.dtype} and {out.dtype}")
    if not PyArray_ISCARRAY_RO(x) or not PyArray_ISCARRAY(out):
        refused(x, cnp.PyArray_SIZE(x))
    if cnp.PyArray_SIZE(x) == 0 and cnp.PyArray_SIZE(out) == 0:
        return 0
    cdef Axis[3] axes
    cdef Axis channels
    cdef Planes job
    cdef Py_ssize_t planes = describe(axes, x, out, len(scales))
    try:
        tabulate(axes, mode, False, scales, True)
        job.axes, job.room, job.to, job.of = axes, cnp.PyArray_ITEMSIZE(x), cnp.PyArray_BYTES(out), cnp.PyArray_BYTES(x)
        job.to_plane, job.of_plane = cnp.PyArray_NBYTES(out) // max(planes, 1), cnp.PyArray_NBYTES(x) // max(planes, 1)
        if axes[2].skip and axes[0].skip == 0:  # what lies last is part of an element
            job.room *= axes[2].out
            channels = axes[2]
            axes[2], axes[1], axes[0] = axes[1], axes[0], channels
            axes[0].out = 1
        with nogil:
            share_out(planes, WORK // (job.to_plane + job.of_plane + 1) + 1, move_planes, &job)
    finally:
        free_tables(axes)
    return 0


def upsample_nearest(cnp.ndarray out not None, cnp.ndarray x not None, tuple scales not None):
    """Each output is the input that its lower corner falls into."""
    if not run(out, x, NEAREST, False, scales, False):
        move(out, x, NEAREST, scales)


def upsample_nearest_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, tuple scales not None):
    """Gradient of upsample_nearest."""
    if not run(grad_in, grad_out, NEAREST, False, scales, True):
        in_float32(upsample_nearest_backward, 1, grad_in, grad_out, scales)


def upsample_nearest_exact(cnp.ndarray out not None, cnp.ndarray x not None, tuple scales not None):
    """Each output is the input that its centre falls into."""
    if not run(out, x, NEAREST_EXACT, False, scales, False):
        move(out, x, NEAREST_EXACT, scales)


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


cdef dict MODES = {"upsample_linear": LINEAR, "upsample_cubic": CUBIC, "upsample_linear_smooth": LINEAR_SMOOTH,
                   "upsample_cubic_smooth": CUBIC_SMOOTH, "upsample_lanczos_smooth": LANCZOS_SMOOTH}


cdef int mix_axis(ByteAxis* job, Axis* axis) except -1:
    """The axis of (rows, in, inner) bytes."""
    cdef int16_t* whole = <int16_t*>malloc(axis.width * axis.out * sizeof(int16_t) + 1)
    if whole == NULL:
        raise MemoryError
    job.axis, job.bits, job.weight, job.lacks_memory = axis, whole_weights(whole, axis), whole, False
    with nogil:
        if job.inner < FEW:
            share_out((job.rows + TURNED_ROWS - 1) // TURNED_ROWS, 1, mix_turned, job)
        else:
            share_out(job.rows * axis.out, WORK // (job.inner + 1) + 1, mix_outputs, job)
    free(whole)
    if job.lacks_memory:
        raise MemoryError
    return 0


def upsample_bytes(cnp.ndarray out not None, cnp.ndarray x not None, str kernel not None, bint align_corners,
                   tuple scales not None):
    """Bytes mixed by the taps of a kernel in whole numbers, as torch does: rounded after each dimension, the last one
    first. A dimension that keeps its size is left alone."""
    cdef uint8_t* to = <uint8_t*>into(out, cnp.NPY_UBYTE, cnp.PyArray_SIZE(out))
    cdef uint8_t* now = <uint8_t*>data(x, cnp.NPY_UBYTE, cnp.PyArray_SIZE(x))
    if cnp.PyArray_SIZE(x) == 0 and cnp.PyArray_SIZE(out) == 0:
        return
    if kernel not in MODES:
        raise ValueError(f"upsample_bytes: one of {list(MODES)} wanted, got {kernel!r}")
    cdef int mode = MODES[kernel]
    cdef Axis[3] axes
    cdef ByteAxis job
    cdef Py_ssize_t planes = describe(axes, x, out, len(scales)), left = 0, i
    cdef uint8_t* before = NULL  # what the last axis wrote
    job.rows, job.inner = planes * axes[0].size_in * axes[1].size_in * axes[2].size_in, 1
    try:
        tabulate(axes, mode, align_corners, scales, False)
        for i in range(AXES):
            left += axes[i].size_in != axes[i].out
        if left == 0:
            memcpy(to, now, cnp.PyArray_SIZE(x))
        for i in range(AXES - 1, -1, -1):
            job.rows //= axes[i].size_in
            if axes[i].size_in != axes[i].out:
                left -= 1
                job.x, job.to = now, to
                if left:
                    job.to = <uint8_t*>malloc(job.rows * axes[i].out * job.inner + 1)
                    if job.to == NULL:
                        raise MemoryError
                now = job.to
                try:
                    mix_axis(&job, &axes[i])
                finally:
                    free(before)
                    before = now if left else NULL
            job.inner *= axes[i].out
    finally:
        free(before)
        free_tables(axes)
