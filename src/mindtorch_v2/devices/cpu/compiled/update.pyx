# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The arithmetic of optimisers in one pass over contiguous arrays; out may be self."""
cimport numpy as cnp
from libc.math cimport pow, sqrt
from ..pool cimport share_out, stretch
from .arrays cimport data, into, into_or_null, is_real
from .walk cimport SHARE, inner_loop, loop_over


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
    # the float loop and the double loop of each
    const inner_loop* addcmul_loops
    const inner_loop* addcdiv_loops
    const inner_loop* lerp_scalar_loops
    const inner_loop* lerp_tensor_loops
    const inner_loop* axpy_loops
    void fused_adam_any(bint, void*, void*, void*, void*, void*, Py_ssize_t, Adam*) noexcept
    void fused_sgd_any(bint, void*, void*, void*, Py_ssize_t, Sgd*) noexcept
    void fused_adagrad_any(bint, void*, void*, void*, Py_ssize_t, Adagrad*) noexcept




def addcmul(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray tensor1 not None,
            cnp.ndarray tensor2 not None, double value):
    """self + value * tensor1 * tensor2."""
    loop_over(addcmul_loops, &value, out, (self, tensor1, tensor2))


def addcdiv(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray tensor1 not None,
            cnp.ndarray tensor2 not None, double value):
    """self + value * tensor1 / tensor2."""
    loop_over(addcdiv_loops, &value, out, (self, tensor1, tensor2))


def lerp_scalar(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray end not None, double weight):
    """From self to end, by weight."""
    loop_over(lerp_scalar_loops, &weight, out, (self, end))


def lerp_tensor(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray end not None,
                cnp.ndarray weight not None):
    """From self to end, by the weight of each element."""
    loop_over(lerp_tensor_loops, NULL, out, (self, end, weight))


def axpy(cnp.ndarray out not None, cnp.ndarray self not None, cnp.ndarray other not None, double alpha):
    """self + alpha * other."""
    loop_over(axpy_loops, &alpha, out, (self, other))


cdef struct Step:
    int single  # whether parameters are float32
    Py_ssize_t itemsize
    char *arrays[5]  # parameter, gradient, and up to three of the optimizer's own; NULL where there is none
    void *numbers


cdef inline void* part(Step *step, int k, Py_ssize_t begin) noexcept nogil:
    return NULL if step.arrays[k] == NULL else <void *>(step.arrays[k] + begin * step.itemsize)


cdef void adam_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Step *s = <Step *>job
    fused_adam_any(s.single, part(s, 0, begin), part(s, 1, begin), part(s, 2, begin), part(s, 3, begin),
                   part(s, 4, begin), end - begin, <Adam *>s.numbers)


cdef void sgd_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Step *s = <Step *>job
    fused_sgd_any(s.single, part(s, 0, begin), part(s, 1, begin), part(s, 2, begin), end - begin, <Sgd *>s.numbers)


cdef void adagrad_part(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Step *s = <Step *>job
    fused_adagrad_any(s.single, part(s, 0, begin), part(s, 1, begin), part(s, 2, begin), end - begin,
                      <Adagrad *>s.numbers)


cdef int shared_step(stretch run, void *numbers, cnp.ndarray param, cnp.ndarray grad, first, second,
                     third) except -1:
    """One step of an optimizer, in parts that threads share."""
    cdef int kind = cnp.PyArray_TYPE(param)
    cdef Py_ssize_t n = cnp.PyArray_SIZE(param)
    cdef Step s
    s.single, s.itemsize, s.numbers = kind == cnp.NPY_FLOAT, cnp.PyArray_ITEMSIZE(param), numbers
    s.arrays[0], s.arrays[1] = <char *>into(param, kind, n), <char *>data(grad, kind, n)
    s.arrays[2], s.arrays[3] = <char *>into_or_null(first, kind, n), <char *>into_or_null(second, kind, n)
    s.arrays[4] = <char *>into_or_null(third, kind, n)
    if n <= SHARE:
        run(&s, 0, n)
    else:
        with nogil:
            share_out(n, SHARE, run, &s)
    return 0


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
    cdef Adam a = adam_of(lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, decoupled, step)
    a.amsgrad = amsgrad and max_exp_avg_sq is not None
    shared_step(adam_part, &a, param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq)


def fused_sgd(cnp.ndarray param not None, cnp.ndarray grad not None, momentum_buffer, double weight_decay,
              double momentum, double lr, double dampening, bint nesterov, bint maximize, bint is_first_step):
    """One step of SGD; the first one fills the momentum buffer."""
    cdef int kind = cnp.PyArray_TYPE(param)
    if not is_real(kind):
        return in_float32(fused_sgd, 3, param, grad, momentum_buffer, weight_decay, momentum, lr, dampening, nesterov,
                          maximize, is_first_step)
    cdef Sgd s
    s.weight_decay, s.momentum, s.lr, s.dampening = weight_decay, momentum, lr, dampening
    s.nesterov, s.maximize, s.first = nesterov, maximize, is_first_step
    shared_step(sgd_part, &s, param, grad, momentum_buffer, None, None)


def fused_adagrad(cnp.ndarray param not None, cnp.ndarray grad not None, cnp.ndarray state_sum not None, double lr,
                  double lr_decay, double weight_decay, double eps, bint maximize, double step):
    """One step of Adagrad; `step` counts from 1."""
    cdef int kind = cnp.PyArray_TYPE(param)
    if not is_real(kind):
        return in_float32(fused_adagrad, 3, param, grad, state_sum, lr, lr_decay, weight_decay, eps, maximize, step)
    cdef Adagrad a
    a.lr, a.weight_decay, a.eps, a.maximize = lr / (1 + (step - 1) * lr_decay), weight_decay, eps, maximize
    shared_step(adagrad_part, &a, param, grad, state_sum, None, None)
