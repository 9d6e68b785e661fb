# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Convolutions of images whose channels come first or last in memory: sums over the channels of each position."""
cimport numpy as cnp
from ..pool cimport share_out, stretch
from .arrays cimport PyArray_ISCARRAY_RO, data, is_real
from .convolution_sizes cimport DIMENSIONS, MOST_REMAINDERS, Convolution, describe, volume
from .pointwise cimport transcribe
from .walk cimport BFLOAT16, half_kind

import numpy as np

from ..reference import pixel_convolution as reference

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # aligned, in this machine's byte order

cdef extern from "bfloat16_pixels.h" nogil:
    ctypedef struct TileSet:
        pass
    ctypedef struct Pixels:
        const Convolution *v
        const TileSet *set
        int is_paired
        Py_ssize_t halves
        void *out
        void *x
        void *packed
        void *bias
        void *weight
        int x_last, out_last, is_back
        Py_ssize_t strips
        int lacks_memory
    const TileSet bfloat16_set
    const TileSet* tile_set(int is_double)
    int takes_bfloat16()
    void cut_pixels(Pixels *job)
    Py_ssize_t pixel_pieces(const Pixels *job)
    Py_ssize_t packed_size(const Pixels *job)
    void pack_strips_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void pack_strips_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void pixel_bands_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void pixel_bands_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void pack_strips_bf16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void pixel_bands_bf16(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    PACKED = 1 << 16  # weights that one thread packs at a time
    WORTH_SHARING = 1 << 19  # multiplications that one thread takes at a time


cdef bint lie_last(cnp.ndarray a) noexcept:
    """Whether the channels of images lie last in memory, without gaps."""
    cdef int i, dim, dims = cnp.PyArray_NDIM(a)
    cdef Py_ssize_t step = cnp.PyArray_ITEMSIZE(a)
    if dims < 3 or not PyArray_ISBEHAVED_RO(a):
        return False
    for i in range(dims):
        dim = 1 if i == 0 else 0 if i == dims - 1 else dims - i  # channels, width, height, …, items
        if cnp.PyArray_DIM(a, dim) != 1 and cnp.PyArray_STRIDE(a, dim) != step:
            return False
        step *= cnp.PyArray_DIM(a, dim)
    return True


cdef bint lies_either_way(cnp.ndarray a) noexcept:
    return PyArray_ISCARRAY_RO(a) or lie_last(a)


cdef bint can_go_back(Convolution* v) noexcept:
    """Whether the gradient of the input is made of convolutions of that of the output."""
    cdef int k
    for k in range(DIMENSIONS):
        if v.stride[k] > 1 and v.dilation[k] > 1:
            return False
    return volume(v.stride) <= MOST_REMAINDERS


cdef bint takes_pairs(cnp.ndarray x) noexcept:
    """Whether the machine multiplies what an array holds in pairs: bfloat16."""
    return half_kind(x) == BFLOAT16 and takes_bfloat16()


cdef cnp.ndarray as_floats(object bias, Py_ssize_t channels):
    """The bias of halves, if there is one."""
    cdef cnp.ndarray floats = None if bias is None else np.ascontiguousarray(bias, np.float32)
    if bias is not None:
        data(floats, cnp.NPY_FLOAT, channels)
    return floats


cdef int convolve(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v,
                  bint is_back) except -1:
    """Arrays of one type; sizes were checked, and nothing is empty. The bias of halves is in floats."""
    cdef Pixels job
    cdef Convolution paired = v[0]
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef stretch pack = pack_strips_f32, bands = pixel_bands_f32
    cdef cnp.ndarray packed
    cdef double work = <double>v.n * v.o * volume(v.out) * (v.c // v.groups) * volume(v.kernel)
    cdef Py_ssize_t strips, pieces, each
    job.v, job.bias, job.is_back, job.lacks_memory, job.is_paired, job.halves = v, bias, is_back, 0, 0, 0
    job.out, job.x, job.weight = cnp.PyArray_DATA(out), cnp.PyArray_DATA(x), cnp.PyArray_DATA(weight)
    job.x_last, job.out_last = not PyArray_ISCARRAY_RO(x), not PyArray_ISCARRAY_RO(out)
    if kind == cnp.NPY_DOUBLE:
        job.set, pack, bands = tile_set(True), pack_strips_f64, pixel_bands_f64
    elif kind == cnp.NPY_FLOAT:
        job.set = tile_set(False)
    else:
        job.set, pack, bands = &bfloat16_set, pack_strips_bf16, pixel_bands_bf16
        job.is_paired, job.halves = 1, v.c // v.groups
        paired.c = v.groups * ((job.halves + 1) // 2)
        job.v = &paired
    cut_pixels(&job)
    packed = np.empty(packed_size(&job), x.dtype if job.halves == 0 else np.float32)
    job.packed = cnp.PyArray_DATA(packed)
    strips, pieces = v.groups * job.strips, pixel_pieces(&job)
    each = cnp.PyArray_SIZE(packed) // strips + 1
    with nogil:
        share_out(strips, PACKED // each + 1, pack, &job)
        share_out(pieces, <Py_ssize_t>(WORTH_SHARING * pieces / (work + 1)) + 1, bands, &job)
    if job.lacks_memory:
        raise MemoryError
    return 0


cdef int forward_by_pixels(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v) except -1:
    return convolve(out, x, weight, bias, v, False)


cdef int input_grad_by_pixels(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, object bias, Convolution* v) except -1:
    """Inputs that are a stride apart are seen by the same places of the kernel: for those it is a convolution. The bias,
    which halves have as floats, is that of a transposed convolution."""
    cdef Convolution back = v[0]
    cdef Py_ssize_t rank = cnp.PyArray_NDIM(gx) - 2
    cdef void* added = NULL if bias is None else cnp.PyArray_DATA(<cnp.ndarray?>bias)
    cdef int k
    back.c, back.o = v.o, v.c
    for k in range(DIMENSIONS):
        back.in_[k], back.stride[k] = v.out[k], 1
    for remainder in np.ndindex(v.stride[0], v.stride[1], v.stride[2]):
        inputs, places = of_remainder(&back, v, remainder)
        if volume(back.out) == 0:
            continue
        there = (<object>gx)[(slice(None), slice(None), *inputs[DIMENSIONS - rank:])]
        if volume(back.kernel) == 0:
            there[...] = 0 if bias is None else bias.reshape(-1, *[1] * rank).astype(gx.dtype)
        elif volume(v.stride) == 1:
            convolve(gx, g, weight, added, &back, True)
        else:
            part = np.empty_like(there)  # channels last where they are there
            seen = np.ascontiguousarray((<object>weight)[(slice(None), slice(None), *places[DIMENSIONS - rank:])])
            convolve(part, g, seen, added, &back, True)
            transcribe(there, part)
    return 0


cdef tuple of_remainder(Convolution* back, Convolution* v, tuple remainder):
    """The inputs with a remainder by the stride, the places of the kernel that see them, and that convolution's sizes."""
    cdef list inputs = [], places = []
    cdef Py_ssize_t r, first
    cdef int k
    for k in range(DIMENSIONS):
        r = remainder[k]
        back.kernel[k] = max(0, (v.kernel[k] - r + v.stride[k] - 1) // v.stride[k])
        first = max(0, (v.padding[k] - r + v.stride[k] - 1) // v.stride[k])  # position that sees the first of them
        inputs.append(slice(first * v.stride[k] + r - v.padding[k], None, v.stride[k]))
        places.append(slice(r, None, v.stride[k]))
        back.out[k] = len(range(v.in_[k])[inputs[k]])
        back.padding[k] = (back.kernel[k] - 1) * v.dilation[k] - first
    return inputs, places


cdef int check(Convolution* v, cnp.ndarray x, cnp.ndarray y, cnp.ndarray weight, stride, padding, dilation,
               Py_ssize_t groups) except -1:
    cdef int kind = cnp.PyArray_TYPE(x)
    describe(v, (<object>x).shape, (<object>y).shape, (<object>weight).shape[2:], stride, padding, dilation, groups, False)
    if (not (is_real(kind) or takes_pairs(x)) or cnp.PyArray_TYPE(y) != kind or not lies_either_way(x) or not lies_either_way(y)
            or cnp.PyArray_SIZE(x) == 0 or cnp.PyArray_SIZE(y) == 0):
        raise ValueError(f"convolution: images of floats wanted, in order or with channels last, got {x.dtype}")
    data(weight, kind, v.o * (v.c // groups) * volume(v.kernel))
    return 0


def convolution(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray weight not None, stride, padding,
                dilation, Py_ssize_t groups):
    """Each output channel is a weighted sum of what the kernel sees in the channels of its group."""
    cdef Convolution v
    if not (is_real(cnp.PyArray_TYPE(x)) or takes_pairs(x)):
        return reference.convolution(out, x, weight, stride, padding, dilation, groups)
    check(&v, x, out, weight, stride, padding, dilation, groups)
    if not out.flags.writeable:
        raise ValueError("convolution: a result that can be written wanted")
    forward_by_pixels(out, x, weight, NULL, &v)


def convolution_input_grad(cnp.ndarray grad_input not None, cnp.ndarray grad_output not None,
                           cnp.ndarray weight not None, stride, padding, dilation, Py_ssize_t groups):
    """What each input element is given back by the positions that saw it."""
    cdef Convolution v
    if not (is_real(cnp.PyArray_TYPE(grad_input)) or takes_pairs(grad_input)):
        return reference.convolution_input_grad(grad_input, grad_output, weight, stride, padding, dilation, groups)
    check(&v, grad_input, grad_output, weight, stride, padding, dilation, groups)
    if not (grad_input.flags.writeable and can_go_back(&v)):
        return reference.convolution_input_grad(grad_input, grad_output, weight, stride, padding, dilation, groups)
    input_grad_by_pixels(grad_input, grad_output, weight, None, &v)
