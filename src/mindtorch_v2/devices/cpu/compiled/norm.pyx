# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Layer and RMS norm over rows, batch and group norm over (n, c, l). Gradients are written, not added."""
cimport numpy as cnp
from libc.stdint cimport uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from ..pool cimport share_out, stretch
from .arrays cimport data, data_or_null, elements, into, into_or_null, is_real
from .row_norm cimport HalfRows, RowNorm, add_parts_any, half_norm_parts_backward, half_norm_rows, norm_parts_backward
from .row_norm cimport norm_rows, parts_of
from .walk cimport NOT_HALF, half_kind

from ..half_precision import in_float32, is_half, rewrite, widened

cnp.import_array()

cdef extern from "half_channels.h" nogil:
    enum: FLOAT16, BFLOAT16
    ctypedef struct HalfChannels:
        uint16_t* out
        const uint16_t* x
        const float* scale
        const float* shift
        Py_ssize_t c, l
        int half
    void scale_half_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef extern from "channel_norm.h" nogil:
    ctypedef struct BatchNorm:
        int single, training
        void *out
        void *x
        void *grad
        void *weight
        void *bias
        void *grad_weight
        void *grad_bias
        void *mean
        void *invstd
        void *running_mean
        void *running_var
        double *total
        Py_ssize_t n, c, l
        double momentum, eps
    ctypedef struct GroupNorm:
        int single
        void *out
        void *x
        void *grad
        void *weight
        void *bias
        void *mean
        void *rstd
        double *sums
        double *dots
        Py_ssize_t c, l, groups
        double eps
    void batch_norm_channels(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void batch_statistics_channels(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void batch_affine_channels(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void batch_norm_backward_channels(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void group_norm_groups(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void group_norm_backward_groups(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void sum_items_any(bint, void *to, double *of, Py_ssize_t n, Py_ssize_t c) noexcept

cdef enum:
    WORK = 16_384  # elements that one thread takes at a time
    FEWEST_ROWS = 32  # of a part, whose sums are kept apart
    BESIDE = 64  # channels that lie side by side and are taken at a time


cdef int shared(Py_ssize_t pieces, Py_ssize_t size, stretch run, void *job, Py_ssize_t fewest=1) except -1:
    """Run pieces of work over so many elements; other Python threads may run meanwhile where they are many."""
    if size <= WORK:
        run(job, 0, pieces)
    else:
        with nogil:
            share_out(pieces, max(WORK * pieces // size + 1, fewest), run, job)
    return 0


cdef inline Py_ssize_t fewest_channels(Py_ssize_t l) noexcept:
    """That one thread takes at a time: where they lie side by side, whole cache lines of them."""
    return BESIDE if l == 1 else 1


cdef RowNorm of_rows(int kind, bint is_rms, Py_ssize_t rows, Py_ssize_t cols, double eps) noexcept:
    cdef RowNorm r
    memset(&r, 0, sizeof(RowNorm))
    r.single, r.is_rms, r.rows, r.cols, r.eps = kind == cnp.NPY_FLOAT, is_rms, rows, cols, eps
    r.part = max(<Py_ssize_t>FEWEST_ROWS, WORK // (cols + 1) + 1)
    return r


cdef int rows_backward(RowNorm* r, void* gw, void* gb, stretch run=norm_parts_backward) except -1:
    """Gradients of all parts, and the sums of those of weight and bias, which go to gw and gb."""
    cdef Py_ssize_t parts = parts_of(r), size = parts * r.cols
    cdef void* memory = NULL
    if gw != NULL or gb != NULL:
        memory = malloc((2 * size + 1) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        r.grad_weights = memory if gw != NULL else NULL
        r.grad_biases = <double*>memory + size if gb != NULL else NULL
    shared(parts, r.rows * r.cols, run, r)
    if gw != NULL:
        add_parts_any(r.single, gw, r.grad_weights, parts, r.cols)
    if gb != NULL:
        add_parts_any(r.single, gb, r.grad_biases, parts, r.cols)
    free(memory)
    return 0


cdef list as_floats(tuple arrays):
    """What is there in float32."""
    return [None if a is None else widened(a) for a in arrays]


cdef int half_rows(HalfRows* job, bint is_rms, cnp.ndarray x, void* out, Py_ssize_t rows, Py_ssize_t cols,
                   double eps) except -1:
    """Rows of halves, whose parameters and statistics are to be floats."""
    job.of_, job.half, job.lacks_memory = of_rows(cnp.NPY_FLOAT, is_rms, rows, cols, eps), half_kind(x), 0
    job.of_.out, job.of_.x = out, data(x, cnp.PyArray_TYPE(x), elements(rows, cols, 1))
    if job.half == NOT_HALF:
        raise TypeError(f"norms want floating numbers, got {x.dtype}")
    return 0


cdef finish_halves(HalfRows* job, tuple given, tuple floats):
    if job.lacks_memory:
        raise MemoryError
    for to, of in zip(given, floats):
        if of is not to:
            rewrite(to, of)


cdef norm_of_halves(bint is_rms, cnp.ndarray out, mean, rstd, cnp.ndarray x, weight, bias, Py_ssize_t rows,
                    Py_ssize_t cols, double eps):
    cdef HalfRows job
    m, s, w, b = as_floats((mean, rstd, weight, bias))
    half_rows(&job, is_rms, x, into(out, cnp.PyArray_TYPE(x), elements(rows, cols, 1)), rows, cols, eps)
    job.of_.mean, job.of_.rstd = into_or_null(m, cnp.NPY_FLOAT, rows), into_or_null(s, cnp.NPY_FLOAT, rows)
    job.of_.weight, job.of_.bias = data_or_null(w, cnp.NPY_FLOAT, cols), data_or_null(b, cnp.NPY_FLOAT, cols)
    shared(rows, rows * cols, half_norm_rows, &job)
    finish_halves(&job, (mean, rstd), (m, s))


cdef norm_of_halves_backward(bint is_rms, gx, gw, gb, cnp.ndarray grad, cnp.ndarray x, mean, rstd, weight,
                             Py_ssize_t rows, Py_ssize_t cols):
    cdef HalfRows job
    cdef int kind = cnp.PyArray_TYPE(x)
    m, s, w, of_w, of_b = as_floats((mean, rstd, weight, gw, gb))
    half_rows(&job, is_rms, x, into_or_null(gx, kind, elements(rows, cols, 1)), rows, cols, 0)
    job.of_.grad, job.of_.weight = data(grad, kind, rows * cols), data_or_null(w, cnp.NPY_FLOAT, cols)
    job.of_.mean, job.of_.rstd = data_or_null(m, cnp.NPY_FLOAT, rows), data_or_null(s, cnp.NPY_FLOAT, rows)
    rows_backward(&job.of_, into_or_null(of_w, cnp.NPY_FLOAT, cols), into_or_null(of_b, cnp.NPY_FLOAT, cols),
                  half_norm_parts_backward)
    finish_halves(&job, (gw, gb), (of_w, of_b))


def layer_norm(cnp.ndarray out not None, cnp.ndarray mean not None, cnp.ndarray rstd not None,
               cnp.ndarray x not None, weight, bias, Py_ssize_t rows, Py_ssize_t cols, double eps):
    """Each row with its mean taken off and over its standard deviation, times weight, plus bias."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return norm_of_halves(False, out, mean, rstd, x, weight, bias, rows, cols, eps)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    cdef RowNorm r = of_rows(kind, False, rows, cols, eps)
    r.out, r.mean, r.rstd = into(out, kind, size), into(mean, kind, rows), into(rstd, kind, rows)
    r.x, r.weight, r.bias = data(x, kind, size), data_or_null(weight, kind, cols), data_or_null(bias, kind, cols)
    shared(rows, size, norm_rows, &r)


def layer_norm_backward(gx, gw, gb, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray mean not None,
                        cnp.ndarray rstd not None, weight, Py_ssize_t rows, Py_ssize_t cols):
    """Gradients of layer norm for x, weight and bias; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return norm_of_halves_backward(False, gx, gw, gb, grad, x, mean, rstd, weight, rows, cols)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    cdef RowNorm r = of_rows(kind, False, rows, cols, 0)
    r.out, r.grad, r.x = into_or_null(gx, kind, size), data(grad, kind, size), data(x, kind, size)
    r.mean, r.rstd, r.weight = data(mean, kind, rows), data(rstd, kind, rows), data_or_null(weight, kind, cols)
    rows_backward(&r, into_or_null(gw, kind, cols), into_or_null(gb, kind, cols))


def rms_norm(cnp.ndarray out not None, cnp.ndarray rstd not None, cnp.ndarray x not None, weight,
             Py_ssize_t rows, Py_ssize_t cols, double eps):
    """Each row over its root mean square, times weight."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return norm_of_halves(True, out, None, rstd, x, weight, None, rows, cols, eps)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    cdef RowNorm r = of_rows(kind, True, rows, cols, eps)
    r.out, r.rstd, r.x = into(out, kind, size), into(rstd, kind, rows), data(x, kind, size)
    r.weight = data_or_null(weight, kind, cols)
    shared(rows, size, norm_rows, &r)


def rms_norm_backward(gx, gw, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray rstd not None, weight,
                      Py_ssize_t rows, Py_ssize_t cols):
    """Gradients of RMS norm for x and weight; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return norm_of_halves_backward(True, gx, gw, None, grad, x, None, rstd, weight, rows, cols)
    cdef Py_ssize_t size = elements(rows, cols, 1)
    cdef RowNorm r = of_rows(kind, True, rows, cols, 0)
    r.out, r.grad, r.x = into_or_null(gx, kind, size), data(grad, kind, size), data(x, kind, size)
    r.rstd, r.weight = data(rstd, kind, rows), data_or_null(weight, kind, cols)
    rows_backward(&r, into_or_null(gw, kind, cols), NULL)


cdef int take(BatchNorm* b, int kind, bint training, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l, double eps) except -1:
    """Room for what a channel is shifted by and scaled with, and for sums; total is to be freed."""
    memset(b, 0, sizeof(BatchNorm))
    b.single, b.training, b.n, b.c, b.l, b.eps = kind == cnp.NPY_FLOAT, training, n, c, l, eps
    b.total = <double*>malloc((4 * c + 1) * sizeof(double))
    if b.total == NULL:
        raise MemoryError
    b.mean, b.invstd = b.total + 2 * c, b.total + 3 * c
    return 0


def batch_norm(cnp.ndarray out not None, save_mean, save_invstd, cnp.ndarray x not None, weight, bias, running_mean,
               running_var, bint training, double momentum, double eps, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l):
    """Each channel normalised by this batch (training, moving the running statistics) or by the running ones."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        # the running statistics are results too, so they come first
        return in_float32(batch_norm_outs_first, 5, out, save_mean, save_invstd, running_mean, running_var, x, weight,
                          bias, training, momentum, eps, n, c, l)
    cdef Py_ssize_t size = elements(n, c, l)
    cdef void* to = into(out, kind, size)
    cdef void* of = data(x, kind, size)
    cdef void* w = data_or_null(weight, kind, c)
    cdef void* b = data_or_null(bias, kind, c)
    cdef void* rm = into_or_null(running_mean, kind, c) if training else data_or_null(running_mean, kind, c)
    cdef void* rv = into_or_null(running_var, kind, c) if training else data_or_null(running_var, kind, c)
    cdef void* sm = into_or_null(save_mean, kind, c) if training else NULL
    cdef void* si = into_or_null(save_invstd, kind, c) if training else NULL
    cdef BatchNorm job
    if not training and (rm == NULL or rv == NULL):
        raise ValueError("batch_norm: running_mean and running_var are wanted where it is not training")
    take(&job, kind, training, n, c, l, eps)
    job.out, job.x, job.weight, job.bias, job.momentum = to, of, w, b, momentum
    job.running_mean, job.running_var = rm, rv
    if not training:
        job.mean = rm
    elif sm != NULL:
        job.mean = sm
    if si != NULL:
        job.invstd = si
    shared(c, size, batch_norm_channels, &job, fewest_channels(l))
    free(job.total)


def batch_norm_outs_first(out, save_mean, save_invstd, running_mean, running_var, x, weight, bias, *rest):
    """batch_norm with everything it writes in front."""
    batch_norm(out, save_mean, save_invstd, x, weight, bias, running_mean, running_var, *rest)


def batch_statistics(cnp.ndarray mean not None, cnp.ndarray invstd not None, running_mean, running_var,
                     cnp.ndarray x not None, double momentum, double eps, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l):
    """Mean and inverse standard deviation of each channel of this batch, which also move the running statistics."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        raise TypeError(f"batch_statistics wants float32 or float64, got {x.dtype}")
    cdef Py_ssize_t size = elements(n, c, l)
    cdef void* of_mean = into(mean, kind, c)
    cdef void* of_invstd = into(invstd, kind, c)
    cdef void* rm = into_or_null(running_mean, kind, c)
    cdef void* rv = into_or_null(running_var, kind, c)
    cdef void* of = data(x, kind, size)
    cdef BatchNorm job
    take(&job, kind, True, n, c, l, eps)
    job.x, job.mean, job.invstd, job.momentum = of, of_mean, of_invstd, momentum
    job.running_mean, job.running_var = rm, rv
    shared(c, size, batch_statistics_channels, &job, fewest_channels(l))
    free(job.total)


def scale_channels(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray scale not None,
                   cnp.ndarray shift not None, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l):
    """Each channel times a number, plus another; of halves, both are floats."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t size = elements(n, c, l)
    cdef HalfChannels halves
    if is_half(x):
        halves.out, halves.x = <uint16_t*>into(out, kind, size), <const uint16_t*>data(x, kind, size)
        halves.scale = <const float*>data(scale, cnp.NPY_FLOAT, c)
        halves.shift = <const float*>data(shift, cnp.NPY_FLOAT, c)
        halves.c, halves.l, halves.half = c, l, FLOAT16 if kind == cnp.NPY_FLOAT16 else BFLOAT16
        shared(n if l == 1 else n * c, size, scale_half_rows, &halves)
        return
    if not is_real(kind):
        raise TypeError(f"scale_channels wants floats, got {x.dtype}")
    cdef void* to = into(out, kind, size)
    cdef void* of = data(x, kind, size)
    cdef void* by = data(scale, kind, c)
    cdef void* plus = data(shift, kind, c)
    cdef BatchNorm job
    take(&job, kind, False, n, c, l, 0)
    memset(job.mean, 0, c * sizeof(double))
    job.out, job.x, job.invstd, job.bias = to, of, by, plus
    shared(c, size, batch_affine_channels, &job, fewest_channels(l))
    free(job.total)


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
    cdef BatchNorm job
    take(&job, kind, training, n, c, l, eps)
    job.out, job.grad_weight, job.grad_bias, job.grad, job.x, job.weight = to, to_w, to_b, g, of, w
    job.mean = mean
    if training:
        job.invstd = spread
    else:
        job.running_var = spread
    shared(c, size, batch_norm_backward_channels, &job, fewest_channels(l))
    free(job.total)


cdef Py_ssize_t in_groups(Py_ssize_t n, Py_ssize_t c, Py_ssize_t groups) except -1:
    """How many groups there are in all samples; channels divide into them."""
    if groups < 1 or c % groups:
        raise ValueError(f"group_norm: {c} channels do not divide into {groups} groups")
    return elements(n, groups, 1)


cdef GroupNorm of_groups(int kind, Py_ssize_t c, Py_ssize_t l, Py_ssize_t groups, double eps) noexcept:
    cdef GroupNorm g
    memset(&g, 0, sizeof(GroupNorm))
    g.single, g.c, g.l, g.groups, g.eps = kind == cnp.NPY_FLOAT, c, l, groups, eps
    return g


def group_norm(cnp.ndarray out not None, cnp.ndarray mean not None, cnp.ndarray rstd not None,
               cnp.ndarray x not None, weight, bias, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l, Py_ssize_t groups,
               double eps):
    """Each group of channels of each sample normalised by itself, then weight and bias by channel."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(group_norm, 3, out, mean, rstd, x, weight, bias, n, c, l, groups, eps)
    cdef Py_ssize_t size = elements(n, c, l), grouped = in_groups(n, c, groups)
    cdef GroupNorm g = of_groups(kind, c, l, groups, eps)
    g.out, g.mean, g.rstd = into(out, kind, size), into(mean, kind, grouped), into(rstd, kind, grouped)
    g.x, g.weight, g.bias = data(x, kind, size), data_or_null(weight, kind, c), data_or_null(bias, kind, c)
    shared(grouped, size, group_norm_groups, &g)


def group_norm_backward(gx, gw, gb, cnp.ndarray grad not None, cnp.ndarray x not None, cnp.ndarray mean not None,
                        cnp.ndarray rstd not None, weight, Py_ssize_t n, Py_ssize_t c, Py_ssize_t l,
                        Py_ssize_t groups):
    """Gradients of group norm for x, weight and bias; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(group_norm_backward, 3, gx, gw, gb, grad, x, mean, rstd, weight, n, c, l, groups)
    cdef Py_ssize_t size = elements(n, c, l), grouped = in_groups(n, c, groups)
    cdef GroupNorm g = of_groups(kind, c, l, groups, 0)
    cdef void* to_w = into_or_null(gw, kind, c)
    cdef void* to_b = into_or_null(gb, kind, c)
    g.out, g.grad, g.x = into_or_null(gx, kind, size), data(grad, kind, size), data(x, kind, size)
    g.mean, g.rstd = data(mean, kind, grouped), data(rstd, kind, grouped)
    g.weight = data_or_null(weight, kind, c)
    g.sums = <double*>malloc((2 * n * c + 1) * sizeof(double))
    if g.sums == NULL:
        raise MemoryError
    g.dots = g.sums + n * c
    shared(grouped, size, group_norm_backward_groups, &g)
    if to_w != NULL:
        sum_items_any(g.single, to_w, g.dots, n, c)
    if to_b != NULL:
        sum_items_any(g.single, to_b, g.sums, n, c)
    free(g.sums)
