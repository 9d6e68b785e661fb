# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Layer and RMS norm over rows, batch and group norm over (n, c, l). Gradients are written, not added."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from .arrays cimport data, data_or_null, elements, into, into_or_null, is_real

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "row_norm.h" nogil:
    void layer_norm_any(bint, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t, double)
    void layer_norm_backward_any(bint, void*, void*, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t)
    void rms_norm_any(bint, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t, double)
    void rms_norm_backward_any(bint, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t)

cdef extern from "channel_norm.h" nogil:
    void batch_statistics_any(bint, void*, void*, void*, void*, void*, double*, Py_ssize_t, Py_ssize_t, Py_ssize_t,
                              double, double)
    void running_invstd_any(bint, void*, void*, Py_ssize_t, double)
    void batch_affine_any(bint, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t, Py_ssize_t)
    void batch_norm_backward_any(bint, void*, void*, void*, void*, void*, void*, void*, void*, double*, int, Py_ssize_t,
                                 Py_ssize_t, Py_ssize_t)
    void group_norm_any(bint, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t,
                        double)
    void group_norm_backward_any(bint, void*, void*, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t,
                                 Py_ssize_t, Py_ssize_t)


def layer_norm(cnp.ndarray out not None, cnp.ndarray mean not None, cnp.ndarray rstd not None,
               cnp.ndarray x not None, weight, bias, Py_ssize_t rows, Py_ssize_t cols, double eps):
    """Each row with its mean taken off and over its standard deviation, times weight, plus bias."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(layer_norm, 3, out, mean, rstd, x, weight, bias, rows, cols, eps)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    layer_norm_any(
        kind == cnp.NPY_FLOAT,
        into(out, kind, size), into(mean, kind, rows), into(rstd, kind, rows), data(x, kind, size),
        data_or_null(weight, kind, cols), data_or_null(bias, kind, cols), rows, cols, eps)


def layer_norm_backward(gx, gw, gb, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray mean not None,
                        cnp.ndarray rstd not None, weight, Py_ssize_t rows, Py_ssize_t cols):
    """Gradients of layer norm for x, weight and bias; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(layer_norm_backward, 3, gx, gw, gb, grad, x, mean, rstd, weight, rows, cols)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    layer_norm_backward_any(
        kind == cnp.NPY_FLOAT,
        into_or_null(gx, kind, size), into_or_null(gw, kind, cols), into_or_null(gb, kind, cols),
        data(grad, kind, size), data(x, kind, size), data(mean, kind, rows), data(rstd, kind, rows),
        data_or_null(weight, kind, cols), rows, cols)


def rms_norm(cnp.ndarray out not None, cnp.ndarray rstd not None, cnp.ndarray x not None, weight,
             Py_ssize_t rows, Py_ssize_t cols, double eps):
    """Each row over its root mean square, times weight."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(rms_norm, 2, out, rstd, x, weight, rows, cols, eps)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    rms_norm_any(
        kind == cnp.NPY_FLOAT,
        into(out, kind, size), into(rstd, kind, rows), data(x, kind, size), data_or_null(weight, kind, cols),
        rows, cols, eps)


def rms_norm_backward(gx, gw, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray rstd not None, weight,
                      Py_ssize_t rows, Py_ssize_t cols):
    """Gradients of RMS norm for x and weight; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(rms_norm_backward, 2, gx, gw, grad, x, rstd, weight, rows, cols)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    rms_norm_backward_any(
        kind == cnp.NPY_FLOAT,
        into_or_null(gx, kind, size), into_or_null(gw, kind, cols), data(grad, kind, size), data(x, kind, size),
        data(rstd, kind, rows), data_or_null(weight, kind, cols), rows, cols)


cdef struct Channels:
    # what a channel is shifted by and scaled with, and room for sums: c means, c invstds, 2c totals
    void* mean
    void* invstd
    double* total
    double* memory


cdef int take(Channels* at, Py_ssize_t c) except -1:
    at.memory = <double*>malloc((4 * c + 1) * sizeof(double))
    if at.memory == NULL:
        raise MemoryError
    at.mean, at.invstd, at.total = at.memory, at.memory + c, at.memory + 2 * c
    return 0


def batch_norm(cnp.ndarray out not None, save_mean, save_invstd, cnp.ndarray x not None, weight, bias, running_mean,
               running_var, bint training, double momentum, double eps, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l):
    """Each channel normalised by this batch (training, moving the running statistics) or by the running ones."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        # the running statistics are results too, so they come first
        return in_float32(batch_norm_outs_first, 5, out, save_mean, save_invstd, running_mean, running_var, x, weight,
                          bias, training, momentum, eps, n, c, l)
    cdef bint single = kind == cnp.NPY_FLOAT
    cdef Py_ssize_t size = elements(n, c, l)
    cdef void* to = into(out, kind, size)
    cdef void* of = data(x, kind, size)
    cdef void* w = data_or_null(weight, kind, c)
    cdef void* b = data_or_null(bias, kind, c)
    cdef void* rm = into_or_null(running_mean, kind, c) if training else data_or_null(running_mean, kind, c)
    cdef void* rv = into_or_null(running_var, kind, c) if training else data_or_null(running_var, kind, c)
    cdef void* sm = into_or_null(save_mean, kind, c) if training else NULL
    cdef void* si = into_or_null(save_invstd, kind, c) if training else NULL
    cdef Channels at
    if not training and (rm == NULL or rv == NULL):
        raise ValueError("batch_norm: running_mean and running_var are wanted where it is not training")
    take(&at, c)
    if sm != NULL:
        at.mean = sm
    if si != NULL:
        at.invstd = si
    if training:
        batch_statistics_any(single, at.mean, at.invstd, of, rm, rv, at.total, n, c, l, momentum, eps)
    else:
        at.mean = rm
        running_invstd_any(single, at.invstd, rv, c, eps)
    batch_affine_any(single, to, of, at.mean, at.invstd, w, b, n, c, l)
    free(at.memory)


def batch_norm_outs_first(out, save_mean, save_invstd, running_mean, running_var, x, weight, bias, *rest):
    """batch_norm with everything it writes in front."""
    batch_norm(out, save_mean, save_invstd, x, weight, bias, running_mean, running_var, *rest)


def batch_norm_backward(gx, gw, gb, cnp.ndarray grad not None, cnp.ndarray x not None, weight, running_mean,
                        running_var, save_mean, save_invstd, bint training, double eps, Py_ssize_t n, Py_ssize_t c,
                        Py_ssize_t l):
    """Gradients of batch norm for x, weight and bias; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(batch_norm_backward, 3, gx, gw, gb, grad, x, weight, running_mean, running_var, save_mean,
                          save_invstd, training, eps, n, c, l)
    cdef Py_ssize_t size = elements(n, c, l)
    cdef void* to = into_or_null(gx, kind, size)
    cdef void* to_w = into_or_null(gw, kind, c)
    cdef void* to_b = into_or_null(gb, kind, c)
    cdef void* g = data(grad, kind, size)
    cdef void* of = data(x, kind, size)
    cdef void* w = data_or_null(weight, kind, c)
    cdef void* mean = data(<cnp.ndarray?>(save_mean if training else running_mean), kind, c)
    cdef void* spread = data(<cnp.ndarray?>(save_invstd if training else running_var), kind, c)
    cdef Channels at
    take(&at, c)
    if training:
        at.invstd = spread
    else:
        running_invstd_any(kind == cnp.NPY_FLOAT, at.invstd, spread, c, eps)
    batch_norm_backward_any(
        kind == cnp.NPY_FLOAT,
        to, to_w, to_b, g, of, w, mean, at.invstd, at.total, training, n, c, l)
    free(at.memory)


cdef Py_ssize_t in_groups(Py_ssize_t n, Py_ssize_t c, Py_ssize_t groups) except -1:
    """How many groups there are in all samples; channels divide into them."""
    if groups < 1 or c % groups:
        raise ValueError(f"group_norm: {c} channels do not divide into {groups} groups")
    return elements(n, groups, 1)


def group_norm(cnp.ndarray out not None, cnp.ndarray mean not None, cnp.ndarray rstd not None,
               cnp.ndarray x not None, weight, bias, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l, Py_ssize_t groups,
               double eps):
    """Each group of channels of each sample normalised by itself, then weight and bias by channel."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(group_norm, 3, out, mean, rstd, x, weight, bias, n, c, l, groups, eps)
    cdef Py_ssize_t size = elements(n, c, l), grouped = in_groups(n, c, groups)
    group_norm_any(
        kind == cnp.NPY_FLOAT,
        into(out, kind, size), into(mean, kind, grouped), into(rstd, kind, grouped), data(x, kind, size),
        data_or_null(weight, kind, c), data_or_null(bias, kind, c), n, c, l, groups, eps)


def group_norm_backward(gx, gw, gb, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray mean not None,
                        cnp.ndarray rstd not None, weight, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l,
                        Py_ssize_t groups):
    """Gradients of group norm for x, weight and bias; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(group_norm_backward, 3, gx, gw, gb, grad, x, mean, rstd, weight, n, c, l, groups)
    cdef Py_ssize_t size = elements(n, c, l), grouped = in_groups(n, c, groups)
    group_norm_backward_any(
        kind == cnp.NPY_FLOAT,
        into_or_null(gx, kind, size), into_or_null(gw, kind, c), into_or_null(gb, kind, c), data(grad, kind, size),
        data(x, kind, size), data(mean, kind, grouped), data(rstd, kind, grouped),
        data_or_null(weight, kind, c), n, c, l, groups)
