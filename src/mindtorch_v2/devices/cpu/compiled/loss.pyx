# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Losses: negative log likelihood, and the element-by-element ones with the derivative torch gives them."""
cimport numpy as cnp
from ..pool cimport share_out
from .arrays cimport data, data_or_null, elements, extent, into, is_real
from .walk cimport NOT_HALF, half_kind

from ..half_precision import in_float32

cnp.import_array()

ctypedef void (*forward_loop)(void*, void*, void*, Py_ssize_t, double) noexcept nogil
ctypedef void (*backward_loop)(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept nogil
cdef extern from "numbers.h" nogil:
    ctypedef struct NumberType:
        int half, single
    double number_at(const NumberType *type, const void *x, Py_ssize_t i) noexcept
    void put_number(const NumberType *type, void *to, Py_ssize_t i, double value) noexcept
    double rounded_number(const NumberType *type, double value) noexcept
    void widen(int half, float *out, const char *x, Py_ssize_t step, Py_ssize_t n) noexcept
    void narrow(int half, char *out, Py_ssize_t step, const float *x, Py_ssize_t n) noexcept

cdef extern from "loss.h" nogil:
    void mse_f32(void*, void*, void*, Py_ssize_t, double) noexcept
    void mse_f64(void*, void*, void*, Py_ssize_t, double) noexcept
    void smooth_l1_f32(void*, void*, void*, Py_ssize_t, double) noexcept
    void smooth_l1_f64(void*, void*, void*, Py_ssize_t, double) noexcept
    void huber_f32(void*, void*, void*, Py_ssize_t, double) noexcept
    void huber_f64(void*, void*, void*, Py_ssize_t, double) noexcept
    int bce_f32(void*, void*, void*, Py_ssize_t) noexcept
    int bce_f64(void*, void*, void*, Py_ssize_t) noexcept
    void multiply_by_f32(void*, void*, Py_ssize_t) noexcept
    void multiply_by_f64(void*, void*, Py_ssize_t) noexcept
    void mse_backward_f32(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void mse_backward_f64(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void smooth_l1_backward_f32(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void smooth_l1_backward_f64(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void huber_backward_f32(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void huber_backward_f64(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void bce_backward_f32(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept
    void bce_backward_f64(void*, void*, void*, void*, Py_ssize_t, int, double, double) noexcept

cdef enum:
    NONE = 0
    MEAN = 1
    SUM = 2
    SHARE = 32_768  # elements that one thread takes at a time
    PIECE = 512  # halves that are floats at a time


cdef struct Likelihood:
    NumberType type
    Py_ssize_t n
    Py_ssize_t c
    Py_ssize_t l
    long long ignore_index
    int reduction
    long long bad


cdef Likelihood likelihood(cnp.ndarray logp, int reduction, long long ignore_index) except *:
    """Reads (C), (N, C) or (N, C, d1, …) as n, c, l."""
    cdef Likelihood at
    cdef int ndim = cnp.PyArray_NDIM(logp)
    at.n = 1 if ndim == 1 else extent(logp, 0)
    at.c = extent(logp, 0 if ndim == 1 else 1)
    at.l = 1
    for axis in range(2, ndim):
        at.l *= cnp.PyArray_DIM(logp, axis)
    at.reduction, at.ignore_index, at.bad = reduction, ignore_index, 0
    at.type.half, at.type.single = half_kind(logp), cnp.PyArray_TYPE(logp) == cnp.NPY_FLOAT
    return at


cdef inline Py_ssize_t place_of(Likelihood* at, Py_ssize_t i, long long target) noexcept nogil:
    """Where the log-probability of a sample's target is."""
    return ((i // at.l) * at.c + target) * at.l + i % at.l


cdef bint nll_forward_loop(void* out, void* total_weight, void* logp, cnp.int64_t* target, void* weight,
                           Likelihood* at) noexcept nogil:
    cdef double total = 0, loss = 0, w
    cdef Py_ssize_t i, size = at.n * at.l
    cdef long long t
    for i in range(size):
        t = target[i]
        if t == at.ignore_index:
            if at.reduction == NONE:
                put_number(&at.type, out, i, 0)
            continue
        if t < 0 or t >= at.c:
            at.bad = t
            return False
        w = number_at(&at.type, weight, t) if weight != NULL else 1
        if at.reduction == NONE:
            put_number(&at.type, out, i, -w * number_at(&at.type, logp, place_of(at, i, t)))
        else:
            total += w
            loss -= w * number_at(&at.type, logp, place_of(at, i, t))
    if at.reduction != NONE:
        put_number(&at.type, out, 0, loss / total if at.reduction == MEAN else loss)
    put_number(&at.type, total_weight, 0, total)
    return True


cdef bint nll_backward_loop(void* grad_in, void* grad_out, cnp.int64_t* target, void* weight, void* total_weight,
                            Likelihood* at) noexcept nogil:
    cdef Py_ssize_t i, size = at.n * at.l
    cdef long long t
    cdef double g = 0
    if at.reduction != NONE:
        g = number_at(&at.type, grad_out, 0)
        if at.reduction == MEAN:
            g = rounded_number(&at.type, g / number_at(&at.type, total_weight, 0))
    for i in range(size):
        t = target[i]
        if t == at.ignore_index:
            continue
        if t < 0 or t >= at.c:
            at.bad = t
            return False
        if at.reduction == NONE:
            g = number_at(&at.type, grad_out, i)
        put_number(&at.type, grad_in, place_of(at, i, t),
                   -g * (number_at(&at.type, weight, t) if weight != NULL else 1))
    return True


cdef bint are_of(int kind, tuple arrays) except -1:
    """Whether all arrays that are there have this type."""
    for array in arrays:
        if array is not None and cnp.PyArray_TYPE(<cnp.ndarray?>array) != kind:
            return False
    return True


def nll_forward(cnp.ndarray out not None, cnp.ndarray total_weight not None, cnp.ndarray logp not None,
                cnp.ndarray target not None, weight, int reduction, long long ignore_index):
    """Minus the (weighted) log-probability of each target; a mean is over the weights counted."""
    cdef int kind = cnp.PyArray_TYPE(logp)
    if not is_real(kind) and not (half_kind(logp) != NOT_HALF and are_of(kind, (out, total_weight, weight))):
        return in_float32(nll_forward, 2, out, total_weight, logp, target, weight, reduction, ignore_index)
    cdef Likelihood at = likelihood(logp, reduction, ignore_index)
    cdef void* to = into(out, kind, at.n * at.l if reduction == NONE else 1)
    cdef void* total = into(total_weight, kind, 1)
    cdef void* p = data(logp, kind, elements(at.n, at.c, at.l))
    cdef cnp.int64_t* t = <cnp.int64_t*>data(target, cnp.NPY_INT64, at.n * at.l)
    cdef void* w = data_or_null(weight, kind, at.c)
    if not nll_forward_loop(to, total, p, t, w, &at):
        raise IndexError(f"Target {at.bad} is out of bounds.")


def nll_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray target not None, weight,
                 cnp.ndarray total_weight not None, int reduction, long long ignore_index):
    """Writes the gradient of each target's log-probability; grad_in comes zero-filled."""
    cdef int kind = cnp.PyArray_TYPE(grad_in)
    if not is_real(kind) and not (half_kind(grad_in) != NOT_HALF
                                  and are_of(kind, (grad_out, weight, total_weight))):
        return in_float32(nll_backward, 1, grad_in, grad_out, target, weight, total_weight, reduction, ignore_index)
    cdef Likelihood at = likelihood(grad_in, reduction, ignore_index)
    cdef void* to = into(grad_in, kind, elements(at.n, at.c, at.l))
    cdef void* g = data(grad_out, kind, at.n * at.l if reduction == NONE else 1)
    cdef void* total = data(total_weight, kind, 1)
    cdef cnp.int64_t* t = <cnp.int64_t*>data(target, cnp.NPY_INT64, at.n * at.l)
    cdef void* w = data_or_null(weight, kind, at.c)
    if not nll_backward_loop(to, g, t, w, total, &at):
        raise IndexError(f"Target {at.bad} is out of bounds.")


cdef struct Elements:
    # a loop over elements and what it reads; the gradient moves on with them, or stands for all
    forward_loop ahead
    backward_loop back
    char *out
    char *grad
    char *a
    char *b
    Py_ssize_t itemsize
    int grad_step, half
    double norm, p


cdef void run_elements(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Elements *e = <Elements *>job
    cdef Py_ssize_t at = begin * e.itemsize
    if e.ahead != NULL:
        e.ahead(e.out + at, e.a + at, e.b + at, end - begin, e.p)
    else:
        e.back(e.out + at, e.grad + at * e.grad_step, e.a + at, e.b + at, end - begin, e.grad_step, e.norm, e.p)


cdef void run_halves(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """The same of halves, a piece after the other as floats."""
    cdef Elements *e = <Elements *>job
    cdef float[PIECE] out, grad, a, b
    cdef Py_ssize_t n, at = begin
    while at < end:
        n = min(PIECE, end - at)
        widen(e.half, a, e.a + at * e.itemsize, e.itemsize, n)
        widen(e.half, b, e.b + at * e.itemsize, e.itemsize, n)
        if e.ahead != NULL:
            e.ahead(out, a, b, n, e.p)
        else:
            widen(e.half, grad, e.grad + at * e.itemsize * e.grad_step, e.itemsize, n if e.grad_step else 1)
            e.back(out, grad, a, b, n, e.grad_step, e.norm, e.p)
        narrow(e.half, e.out + at * e.itemsize, e.itemsize, out, n)
        at += n


cdef int forward(forward_loop f32, forward_loop f64, cnp.ndarray out, cnp.ndarray a, cnp.ndarray b,
                 double p) except -1:
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Elements e
    e.half = half_kind(a)
    if not is_real(kind) and not (e.half != NOT_HALF and are_of(kind, (out, b))):
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a)
    e.ahead, e.back, e.grad, e.p = f64 if kind == cnp.NPY_DOUBLE else f32, NULL, NULL, p
    e.out, e.a, e.b = <char *>into(out, kind, n), <char *>data(a, kind, n), <char *>data(b, kind, n)
    e.itemsize = cnp.PyArray_ITEMSIZE(a)
    with nogil:
        share_out(n, SHARE, run_elements if e.half == NOT_HALF else run_halves, &e)
    return 1


cdef int backward(backward_loop f32, backward_loop f64, cnp.ndarray grad_in, cnp.ndarray grad_out, cnp.ndarray a,
                  cnp.ndarray b, double norm, double p) except -1:
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Elements e
    e.half = half_kind(a)
    if not is_real(kind) and not (e.half != NOT_HALF and are_of(kind, (grad_in, grad_out, b))):
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a)
    e.ahead, e.back, e.norm, e.p = NULL, f64 if kind == cnp.NPY_DOUBLE else f32, norm, p
    e.grad_step = 0 if cnp.PyArray_SIZE(grad_out) == 1 else 1
    e.out, e.grad = <char *>into(grad_in, kind, n), <char *>data(grad_out, kind, n if e.grad_step else 1)
    e.a, e.b, e.itemsize = <char *>data(a, kind, n), <char *>data(b, kind, n), cnp.PyArray_ITEMSIZE(a)
    with nogil:
        share_out(n, SHARE, run_elements if e.half == NOT_HALF else run_halves, &e)
    return 1


def mse(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """(a - b) squared."""
    if not forward(mse_f32, mse_f64, out, a, b, 0):
        in_float32(mse, 1, out, a, b)


def mse_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray a not None,
                 cnp.ndarray b not None, double norm):
    """2 (a - b) grad_out norm; norm is 1/numel for a mean, else 1."""
    if not backward(mse_backward_f32, mse_backward_f64, grad_in, grad_out, a, b, norm, 0):
        in_float32(mse_backward, 1, grad_in, grad_out, a, b, norm)


def smooth_l1(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, double beta):
    """Square over 2 beta inside beta, a straight line outside."""
    if not forward(smooth_l1_f32, smooth_l1_f64, out, a, b, beta):
        in_float32(smooth_l1, 1, out, a, b, beta)


def smooth_l1_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray a not None,
                       cnp.ndarray b not None, double norm, double beta):
    """Derivative of smooth_l1 with respect to a."""
    if not backward(smooth_l1_backward_f32, smooth_l1_backward_f64, grad_in, grad_out, a, b, norm, beta):
        in_float32(smooth_l1_backward, 1, grad_in, grad_out, a, b, norm, beta)


def huber(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, double delta):
    """Half the square inside delta, a straight line outside."""
    if not forward(huber_f32, huber_f64, out, a, b, delta):
        in_float32(huber, 1, out, a, b, delta)


def huber_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray a not None,
                   cnp.ndarray b not None, double norm, double delta):
    """Derivative of huber with respect to a."""
    if not backward(huber_backward_f32, huber_backward_f64, grad_in, grad_out, a, b, norm, delta):
        in_float32(huber_backward, 1, grad_in, grad_out, a, b, norm, delta)


def bce(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None, weight):
    """Binary cross entropy of the probability x against y."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(bce, 1, out, x, y, weight)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x)
    cdef void* to = into(out, kind, n)
    cdef void* w = data_or_null(weight, kind, n)
    if not (bce_f32 if kind == cnp.NPY_FLOAT else bce_f64)(to, data(x, kind, n), data(y, kind, n), n):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if w != NULL:
        (multiply_by_f32 if kind == cnp.NPY_FLOAT else multiply_by_f64)(to, w, n)


def bce_backward(cnp.ndarray grad_in not None, cnp.ndarray grad_out not None, cnp.ndarray x not None,
                 cnp.ndarray y not None, weight, double norm):
    """Derivative of bce with respect to x."""
    if (weight is not None and half_kind(x) != NOT_HALF
            or not backward(bce_backward_f32, bce_backward_f64, grad_in, grad_out, x, y, norm, 0)):
        return in_float32(bce_backward, 1, grad_in, grad_out, x, y, weight, norm)
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(x)
    cdef void* w = data_or_null(weight, kind, n)
    if w != NULL:
        (multiply_by_f32 if kind == cnp.NPY_FLOAT else multiply_by_f64)(cnp.PyArray_DATA(grad_in), w, n)
