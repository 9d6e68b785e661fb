# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Activations and their derivatives in one pass: name(out, x, …) and name_backward(grad_in, grad, x or y, …)."""
cimport numpy as cnp
from .arrays cimport data, into, is_real

import numpy as np

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "activation.h" nogil:
    ctypedef void (*elementwise)(void*, void*, void*, Py_ssize_t, double, double, double) noexcept nogil
    # the float loop and the double loop of each
    const elementwise* gelu_loops
    const elementwise* gelu_backward_loops
    const elementwise* gelu_tanh_loops
    const elementwise* gelu_tanh_backward_loops
    const elementwise* silu_loops
    const elementwise* silu_backward_loops
    const elementwise* sigmoid_loops
    const elementwise* sigmoid_backward_loops
    const elementwise* tanh_backward_loops
    const elementwise* threshold_backward_loops
    const elementwise* softplus_loops
    const elementwise* softplus_backward_loops
    const elementwise* elu_loops
    const elementwise* elu_backward_loops
    const elementwise* elu_backward_of_result_loops
    const elementwise* leaky_relu_loops
    const elementwise* leaky_relu_backward_loops
    const elementwise* hardtanh_backward_loops
    const elementwise* mish_loops
    const elementwise* mish_backward_loops
    const elementwise* hardswish_loops
    const elementwise* hardswish_backward_loops
    const elementwise* hardsigmoid_loops
    const elementwise* hardsigmoid_backward_loops
    const elementwise* logsigmoid_loops
    const elementwise* logsigmoid_backward_loops
    const elementwise* erf_loops
    const elementwise* erfinv_loops

cdef enum:
    LONG = 100_000  # elements from which other threads may run meanwhile


cdef int run(const elementwise* loops, cnp.ndarray out, cnp.ndarray g, cnp.ndarray x, double p=0, double q=0,
             double r=0) except -1:
    """Runs the loop of this dtype; 0 if there is none, and the caller goes through float32."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    if cnp.PyArray_NDIM(x) == 0 and n != 1:  # one number against every gradient
        x = np.full((<object>out).shape, x, x.dtype)
    cdef void* to = into(out, kind, n)
    cdef void* by = data(g, kind, n)
    cdef void* of = data(x, kind, n)
    cdef elementwise loop = loops[0 if kind == cnp.NPY_FLOAT else 1]
    if n < LONG:
        loop(to, by, of, n, p, q, r)
    else:
        with nogil:
            loop(to, by, of, n, p, q, r)
    return 1


def gelu(cnp.ndarray out not None, cnp.ndarray x not None, str approximate="none"):
    """x times the normal distribution function, exact ("none") or by its "tanh" formula."""
    if not run(gelu_tanh_loops if approximate == "tanh" else gelu_loops, out, x, x):
        in_float32(gelu, 1, out, x, approximate)


def gelu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                  str approximate="none"):
    """Derivative of gelu."""
    if not run(gelu_tanh_backward_loops if approximate == "tanh" else gelu_backward_loops, grad_in, grad, x):
        in_float32(gelu_backward, 1, grad_in, grad, x, approximate)


def elu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None, double alpha,
                 double scale, double input_scale, bint is_result):
    """Derivative of elu, from its argument or (is_result) from its result."""
    if not run(elu_backward_of_result_loops if is_result else elu_backward_loops, grad_in, grad, x, alpha, scale,
               input_scale):
        in_float32(elu_backward, 1, grad_in, grad, x, alpha, scale, input_scale, is_result)


def silu(cnp.ndarray out not None, cnp.ndarray x not None):
    """x times its sigmoid."""
    if not run(silu_loops, out, x, x):
        in_float32(silu, 1, out, x)


def sigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """1 / (1 + exp(-x))."""
    if not run(sigmoid_loops, out, x, x):
        in_float32(sigmoid, 1, out, x)


def softplus(cnp.ndarray out not None, cnp.ndarray x not None, double beta, double threshold):
    """log(1 + exp(beta x)) / beta, and x itself above the threshold."""
    if not run(softplus_loops, out, x, x, beta, threshold):
        in_float32(softplus, 1, out, x, beta, threshold)


def elu(cnp.ndarray out not None, cnp.ndarray x not None, double alpha, double scale, double input_scale):
    """x above zero, alpha (exp(x) - 1) below, scaled."""
    if not run(elu_loops, out, x, x, alpha, scale, input_scale):
        in_float32(elu, 1, out, x, alpha, scale, input_scale)


def leaky_relu(cnp.ndarray out not None, cnp.ndarray x not None, double negative_slope):
    """x above zero, negative_slope x below."""
    if not run(leaky_relu_loops, out, x, x, negative_slope):
        in_float32(leaky_relu, 1, out, x, negative_slope)


def mish(cnp.ndarray out not None, cnp.ndarray x not None):
    """x tanh(softplus(x))."""
    if not run(mish_loops, out, x, x):
        in_float32(mish, 1, out, x)


def hardswish(cnp.ndarray out not None, cnp.ndarray x not None):
    """x relu6(x + 3) / 6."""
    if not run(hardswish_loops, out, x, x):
        in_float32(hardswish, 1, out, x)


def hardsigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """relu6(x + 3) / 6."""
    if not run(hardsigmoid_loops, out, x, x):
        in_float32(hardsigmoid, 1, out, x)


def logsigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """log of the sigmoid of x."""
    if not run(logsigmoid_loops, out, x, x):
        in_float32(logsigmoid, 1, out, x)


def erf(cnp.ndarray out not None, cnp.ndarray x not None):
    """Error function."""
    if not run(erf_loops, out, x, x):
        in_float32(erf, 1, out, x)


def erfinv(cnp.ndarray out not None, cnp.ndarray x not None):
    """Inverse of the error function."""
    if not run(erfinv_loops, out, x, x):
        in_float32(erfinv, 1, out, x)


def silu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of silu."""
    if not run(silu_backward_loops, grad_in, grad, x):
        in_float32(silu_backward, 1, grad_in, grad, x)


def sigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray y not None):
    """Derivative of sigmoid, from its result y."""
    if not run(sigmoid_backward_loops, grad_in, grad, y):
        in_float32(sigmoid_backward, 1, grad_in, grad, y)


def tanh_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray y not None):
    """Derivative of tanh, from its result y."""
    if not run(tanh_backward_loops, grad_in, grad, y):
        in_float32(tanh_backward, 1, grad_in, grad, y)


def threshold_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                       double threshold):
    """Derivative of threshold."""
    if not run(threshold_backward_loops, grad_in, grad, x, threshold):
        in_float32(threshold_backward, 1, grad_in, grad, x, threshold)


def softplus_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                      double beta, double threshold):
    """Derivative of softplus."""
    if not run(softplus_backward_loops, grad_in, grad, x, beta, threshold):
        in_float32(softplus_backward, 1, grad_in, grad, x, beta, threshold)


def leaky_relu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                        double negative_slope):
    """Derivative of leaky_relu."""
    if not run(leaky_relu_backward_loops, grad_in, grad, x, negative_slope):
        in_float32(leaky_relu_backward, 1, grad_in, grad, x, negative_slope)


def hardtanh_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                      double min_val, double max_val):
    """Derivative of hardtanh."""
    if not run(hardtanh_backward_loops, grad_in, grad, x, min_val, max_val):
        in_float32(hardtanh_backward, 1, grad_in, grad, x, min_val, max_val)


def mish_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of mish."""
    if not run(mish_backward_loops, grad_in, grad, x):
        in_float32(mish_backward, 1, grad_in, grad, x)


def hardswish_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of hardswish."""
    if not run(hardswish_backward_loops, grad_in, grad, x):
        in_float32(hardswish_backward, 1, grad_in, grad, x)


def hardsigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of hardsigmoid."""
    if not run(hardsigmoid_backward_loops, grad_in, grad, x):
        in_float32(hardsigmoid_backward, 1, grad_in, grad, x)


def logsigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of logsigmoid."""
    if not run(logsigmoid_backward_loops, grad_in, grad, x):
        in_float32(logsigmoid_backward, 1, grad_in, grad, x)
