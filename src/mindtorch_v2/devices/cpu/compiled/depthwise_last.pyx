# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Convolutions with a kernel for each channel, on images of floats whose channels lie last in memory."""
cimport numpy as cnp
from ..pool cimport share_out
from .arrays cimport is_real
from .convolution_sizes cimport DIMENSIONS, Convolution, describe, volume
from .pixel_convolution cimport lie_last

import numpy as np

cnp.import_array()

cdef extern from "depthwise_last.h" nogil:
    enum: CHANNELS_AT_ONCE
    ctypedef struct Depthwise:
        const Convolution *v
        int lacks_memory
        void *out
        void *x
        void *weight
        void *bias
    void depthwise_rows_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void depthwise_rows_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void depthwise_input_grads_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void depthwise_input_grads_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void depthwise_weight_grads_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void depthwise_weight_grads_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 1 << 18  # multiplications that one thread takes at a time


cdef inline Py_ssize_t chunk_of(const Convolution* v, Py_ssize_t pieces) noexcept nogil:
    """How many pieces one thread takes at a time."""
    return <Py_ssize_t>(WORK * pieces / (<double>v.n * v.c * volume(v.out) * volume(v.kernel) + 1)) + 1


cdef Depthwise job_of(cnp.ndarray y, cnp.ndarray x, cnp.ndarray turned, void* bias, Convolution* v) noexcept:
    cdef Depthwise job
    job.v, job.bias, job.lacks_memory = v, bias, 0
    job.out, job.x, job.weight = cnp.PyArray_DATA(y), cnp.PyArray_DATA(x), cnp.PyArray_DATA(turned)
    return job


cdef cnp.ndarray turned_weight(cnp.ndarray weight, Convolution* v):
    """(places, channels)"""
    return np.ascontiguousarray((<object>weight).reshape(v.c, -1).T)


cdef int forward_of_channels(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v) except -1:
    cdef cnp.ndarray turned = turned_weight(weight, v)
    cdef Depthwise job = job_of(out, x, turned, bias, v)
    cdef Py_ssize_t rows = v.n * v.out[0] * v.out[1]
    cdef bint single = cnp.PyArray_TYPE(x) == cnp.NPY_FLOAT
    with nogil:
        share_out(rows, chunk_of(v, rows), depthwise_rows_f32 if single else depthwise_rows_f64, &job)
    if job.lacks_memory:
        raise MemoryError
    return 0


cdef int input_grad_as_forward(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, Convolution* v) except -1:
    """Without steps, the gradient of the input is a convolution of that of the output, with the kernel reversed."""
    cdef Convolution back = v[0]
    cdef int k
    for k in range(DIMENSIONS):
        back.in_[k], back.out[k] = v.out[k], v.in_[k]
        back.padding[k] = (v.kernel[k] - 1) * v.dilation[k] - v.padding[k]
    reversed_ = (<object>weight).reshape(v.c, -1)[:, ::-1]
    return forward_of_channels(gx, g, reversed_, NULL, &back)


cdef int input_grad_of_channels(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, Convolution* v) except -1:
    if volume(v.stride) == 1:
        return input_grad_as_forward(gx, g, weight, v)
    cdef cnp.ndarray turned = turned_weight(weight, v)
    cdef Depthwise job = job_of(g, gx, turned, NULL, v)
    cdef bint single = cnp.PyArray_TYPE(g) == cnp.NPY_FLOAT
    gx[...] = 0
    with nogil:
        share_out(v.n, chunk_of(v, v.n), depthwise_input_grads_f32 if single else depthwise_input_grads_f64, &job)
    if job.lacks_memory:
        raise MemoryError
    return 0


cdef int weight_grad_of_channels(cnp.ndarray gw, cnp.ndarray g, cnp.ndarray x, Convolution* v) except -1:
    cdef cnp.ndarray turned = np.zeros((volume(v.kernel), v.c), g.dtype)
    cdef Depthwise job = job_of(g, x, turned, NULL, v)
    cdef Py_ssize_t blocks = (v.c + CHANNELS_AT_ONCE - 1) // CHANNELS_AT_ONCE
    cdef bint single = cnp.PyArray_TYPE(g) == cnp.NPY_FLOAT
    with nogil:
        share_out(blocks, chunk_of(v, blocks), depthwise_weight_grads_f32 if single else depthwise_weight_grads_f64, &job)
    if job.lacks_memory:
        raise MemoryError
    gw[...] = turned.T.reshape((<object>gw).shape)
    return 0


cdef int check(Convolution* v, cnp.ndarray x, cnp.ndarray y, cnp.ndarray weight, stride, padding, dilation) except -1:
    cdef int kind = cnp.PyArray_TYPE(x)
    channels = (<object>x).shape[1] if cnp.PyArray_NDIM(x) > 1 else 0
    describe(v, (<object>x).shape, (<object>y).shape, (<object>weight).shape[2:], stride, padding, dilation, channels,
             False)
    if (not is_real(kind) or cnp.PyArray_TYPE(y) != kind or cnp.PyArray_TYPE(weight) != kind or v.o != v.c
            or (<object>weight).shape[:2] != (v.c, 1) or not lie_last(x) or not lie_last(y)):
        raise ValueError(f"convolution: images of floats wanted, with channels last, got {x.dtype}")
    return 0


def convolution(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray weight not None, stride, padding,
                dilation):
    """Each channel is a weighted sum of what its kernel sees in it."""
    cdef Convolution v
    check(&v, x, out, weight, stride, padding, dilation)
    if not out.flags.writeable:
        raise ValueError("convolution: a result that can be written wanted")
    forward_of_channels(out, x, weight, NULL, &v)


def convolution_input_grad(cnp.ndarray grad_input not None, cnp.ndarray grad_output not None,
                           cnp.ndarray weight not None, stride, padding, dilation):
    """What each input element is given back by the positions that saw it."""
    cdef Convolution v
    check(&v, grad_input, grad_output, weight, stride, padding, dilation)
    if not grad_input.flags.writeable:
        raise ValueError("convolution: a result that can be written wanted")
    input_grad_of_channels(grad_input, grad_output, weight, &v)


def convolution_weight_grad(cnp.ndarray grad_weight not None, cnp.ndarray grad_output not None,
                            cnp.ndarray x not None, stride, padding, dilation):
    """What each weight is given back, by every position of every item."""
    cdef Convolution v
    check(&v, x, grad_output, grad_weight, stride, padding, dilation)
    weight_grad_of_channels(grad_weight, grad_output, x, &v)
