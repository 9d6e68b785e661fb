# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The arithmetic of optimisers in one pass over contiguous arrays; out may be self."""
cimport numpy as cnp
from libc.math cimport pow, sqrt
from .arrays cimport data, into, into_or_null, is_real

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "update.h" nogil:
    ctypedef struct Adam:
        double lr, beta1, beta2, weight_decay, eps, correction1, correction2_sqrt, step_size
        int amsgrad, maximize, decoupled
    ctypedef struct Sgd:
        double weight_decay, momentum, lr, dampening
        int nesterov, maximize, first
    ctypedef struct Adagrad:
        double lr, weight_decay, eps
        int maximize
    void addcmul_any(bint, void*, void*, void*, void*, Py_ssize_t, double)
    void addcdiv_any(bint, void*, void*, void*, void*, Py_ssize_t, double)
    void lerp_scalar_any(bint, void*, void*, void*, Py_ssize_t, double)
    void axpy_any(bint, void*, void*, void*, Py_ssize_t, double)
    void fused_adam_any(bint, void*, void*, void*, void*, void*, Py_ssize_t, Adam*)
    void fused_sgd_any(bint, void*, void*, void*, Py_ssize_t, Sgd*)
    void fused_adagrad_any(bint, void*, void*, void*, Py_ssize_t, Adagrad*)


def addcmul(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray tensor1 not None,
            cnp.ndarray tensor2 not None, double value):
    """self + value * tensor1 * tensor2."""
    cdef int kind = cnp.PyArray_TYPE(self)
    if not is_real(kind):
        return in_float32(addcmul, 1, out, self, tensor1, tensor2, value)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(self)
    addcmul_any(kind == cnp.NPY_FLOAT, into(out, kind, n), data(self, kind, n), data(tensor1, kind, n),
                data(tensor2, kind, n), n, value)


def addcdiv(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray tensor1 not None,
            cnp.ndarray tensor2 not None, double value):
    """self + value * tensor1 / tensor2."""
    cdef int kind = cnp.PyArray_TYPE(self)
    if not is_real(kind):
        return in_float32(addcdiv, 1, out, self, tensor1, tensor2, value)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(self)
    addcdiv_any(kind == cnp.NPY_FLOAT, into(out, kind, n), data(self, kind, n), data(tensor1, kind, n),
                data(tensor2, kind, n), n, value)


def lerp_scalar(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray end not None, double weight):
    """From self to end, by weight."""
    cdef int kind = cnp.PyArray_TYPE(self)
    if not is_real(kind):
        return in_float32(lerp_scalar, 1, out, self, end, weight)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(self)
    lerp_scalar_any(kind == cnp.NPY_FLOAT, into(out, kind, n), data(self, kind, n), data(end, kind, n), n, weight)


def axpy(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray other not None, double alpha):
    """self + alpha * other."""
    cdef int kind = cnp.PyArray_TYPE(self)
    if not is_real(kind):
        return in_float32(axpy, 1, out, self, other, alpha)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(self)
    axpy_any(kind == cnp.NPY_FLOAT, into(out, kind, n), data(self, kind, n), data(other, kind, n), n, alpha)


cdef Adam adam_of(double lr, double beta1, double beta2, double weight_decay, double eps, bint amsgrad, bint maximize,
                  bint decoupled, double step) noexcept:
    cdef Adam a
    a.lr, a.beta1, a.beta2, a.weight_decay, a.eps = lr, beta1, beta2, weight_decay, eps
    a.amsgrad, a.maximize, a.decoupled = amsgrad, maximize, decoupled
    a.correction1 = 1 - pow(beta1, step)
    a.correction2_sqrt = sqrt(1 - pow(beta2, step))
    a.step_size = lr / a.correction1
    return a


def fused_adam(cnp.ndarray param not None, cnp.ndarray grad not None, cnp.ndarray exp_avg not None,
               cnp.ndarray exp_avg_sq not None, max_exp_avg_sq, double lr, double beta1, double beta2,
               double weight_decay, double eps, bint amsgrad, bint maximize, bint decoupled, double step):
    """One step of Adam; `decoupled` is AdamW's weight decay, `step` counts from 1."""
    cdef int kind = cnp.PyArray_TYPE(param)
    if not is_real(kind):
        # the gradient is only read; it stands among the first five and is stored back unchanged
        return in_float32(fused_adam, 5, param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, lr, beta1, beta2,
                          weight_decay, eps, amsgrad, maximize, decoupled, step)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(param)
    cdef Adam a = adam_of(lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, decoupled, step)
    cdef void* most = into_or_null(max_exp_avg_sq, kind, n)
    a.amsgrad = amsgrad and most != NULL
    fused_adam_any(kind == cnp.NPY_FLOAT, into(param, kind, n), data(grad, kind, n), into(exp_avg, kind, n),
                   into(exp_avg_sq, kind, n), most, n, &a)


def fused_sgd(cnp.ndarray param not None, cnp.ndarray grad not None, momentum_buffer, double weight_decay,
              double momentum, double lr, double dampening, bint nesterov, bint maximize, bint is_first_step):
    """One step of SGD; the first one fills the momentum buffer."""
    cdef int kind = cnp.PyArray_TYPE(param)
    if not is_real(kind):
        return in_float32(fused_sgd, 3, param, grad, momentum_buffer, weight_decay, momentum, lr, dampening, nesterov,
                          maximize, is_first_step)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(param)
    cdef Sgd s
    s.weight_decay, s.momentum, s.lr, s.dampening = weight_decay, momentum, lr, dampening
    s.nesterov, s.maximize, s.first = nesterov, maximize, is_first_step
    fused_sgd_any(kind == cnp.NPY_FLOAT, into(param, kind, n), data(grad, kind, n),
                  into_or_null(momentum_buffer, kind, n), n, &s)


def fused_adagrad(cnp.ndarray param not None, cnp.ndarray grad not None, cnp.ndarray state_sum not None, double lr,
                  double lr_decay, double weight_decay, double eps, bint maximize, double step):
    """One step of Adagrad; `step` counts from 1."""
    cdef int kind = cnp.PyArray_TYPE(param)
    if not is_real(kind):
        return in_float32(fused_adagrad, 3, param, grad, state_sum, lr, lr_decay, weight_decay, eps, maximize, step)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(param)
    cdef Adagrad a
    a.lr, a.weight_decay, a.eps, a.maximize = lr / (1 + (step - 1) * lr_decay), weight_decay, eps, maximize
    fused_adagrad_any(kind == cnp.NPY_FLOAT, into(param, kind, n), data(grad, kind, n), into(state_sum, kind, n), n, &a)
