# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Activations and their derivatives in one pass: name(out, x, …) and name_backward(grad_in, grad, x or y, …)."""
cimport numpy as cnp
from .walk cimport inner_loop, loop_over

cnp.import_array()

cdef extern from "activation.h" nogil:
    # the float loop and the double loop of each
    const inner_loop* gelu_loops
    const inner_loop* gelu_backward_loops
    const inner_loop* gelu_tanh_loops
    const inner_loop* gelu_tanh_backward_loops
    const inner_loop* silu_loops
    const inner_loop* silu_backward_loops
    const inner_loop* sigmoid_loops
    const inner_loop* sigmoid_backward_loops
    const inner_loop* tanh_backward_loops
    const inner_loop* threshold_backward_loops
    const inner_loop* softplus_loops
    const inner_loop* softplus_backward_loops
    const inner_loop* elu_loops
    const inner_loop* elu_backward_loops
    const inner_loop* elu_backward_of_result_loops
    const inner_loop* leaky_relu_loops
    const inner_loop* leaky_relu_backward_loops
    const inner_loop* hardtanh_backward_loops
    const inner_loop* mish_loops
    const inner_loop* mish_backward_loops
    const inner_loop* hardswish_loops
    const inner_loop* hardswish_backward_loops
    const inner_loop* hardsigmoid_loops
    const inner_loop* hardsigmoid_backward_loops
    const inner_loop* logsigmoid_loops
    const inner_loop* logsigmoid_backward_loops
    const inner_loop* erf_loops
    const inner_loop* erfinv_loops
    const inner_loop* threshold_loops
    const inner_loop* hardshrink_loops
    const inner_loop* softshrink_loops
    const inner_loop* shrink_backward_loops



cdef int run(const inner_loop* loops, cnp.ndarray out, cnp.ndarray g, cnp.ndarray x, double p=0, double q=0,
             double r=0) except -1:
    """The loop of this dtype over arrays of any layout, broadcast to their result."""
    cdef double numbers[3]
    numbers[0], numbers[1], numbers[2] = p, q, r
    return loop_over(loops, numbers, out, (g, x))


def gelu(cnp.ndarray out not None, cnp.ndarray x not None, str approximate="none"):
    """x times the normal distribution function, exact ("none") or by its "tanh" formula."""
    run(gelu_tanh_loops if approximate == "tanh" else gelu_loops, out, x, x)


def gelu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                  str approximate="none"):
    """Derivative of gelu."""
    run(gelu_tanh_backward_loops if approximate == "tanh" else gelu_backward_loops, grad_in, grad, x)


def elu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None, double alpha,
                 double scale, double input_scale, bint is_result):
    """Derivative of elu, from its argument or (is_result) from its result."""
    run(elu_backward_of_result_loops if is_result else elu_backward_loops, grad_in, grad, x, alpha, scale,
        input_scale)


def silu(cnp.ndarray out not None, cnp.ndarray x not None):
    """x times its sigmoid."""
    run(silu_loops, out, x, x)


def sigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """1 / (1 + exp(-x))."""
    run(sigmoid_loops, out, x, x)


def softplus(cnp.ndarray out not None, cnp.ndarray x not None, double beta, double threshold):
    """log(1 + exp(beta x)) / beta, and x itself above the threshold."""
    run(softplus_loops, out, x, x, beta, threshold)


def elu(cnp.ndarray out not None, cnp.ndarray x not None, double alpha, double scale, double input_scale):
    """x above zero, alpha (exp(x) - 1) below, scaled."""
    run(elu_loops, out, x, x, alpha, scale, input_scale)


def leaky_relu(cnp.ndarray out not None, cnp.ndarray x not None, double negative_slope):
    """x above zero, negative_slope x below."""
    run(leaky_relu_loops, out, x, x, negative_slope)


def mish(cnp.ndarray out not None, cnp.ndarray x not None):
    """x tanh(softplus(x))."""
    run(mish_loops, out, x, x)


def hardswish(cnp.ndarray out not None, cnp.ndarray x not None):
    """x relu6(x + 3) / 6."""
    run(hardswish_loops, out, x, x)


def hardsigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """relu6(x + 3) / 6."""
    run(hardsigmoid_loops, out, x, x)


def logsigmoid(cnp.ndarray out not None, cnp.ndarray x not None):
    """log of the sigmoid of x."""
    run(logsigmoid_loops, out, x, x)


def threshold(cnp.ndarray out not None, cnp.ndarray x not None, double threshold, double value):
    """x above the threshold, another value elsewhere."""
    run(threshold_loops, out, x, x, threshold, value)


def hardshrink(cnp.ndarray out not None, cnp.ndarray x not None, double lambd):
    """x outside of [-lambd, lambd], zero inside."""
    run(hardshrink_loops, out, x, x, lambd)


def softshrink(cnp.ndarray out not None, cnp.ndarray x not None, double lambd):
    """x moved towards zero by lambd, and zero within lambd of it."""
    run(softshrink_loops, out, x, x, lambd)


def erf(cnp.ndarray out not None, cnp.ndarray x not None):
    """Error function."""
    run(erf_loops, out, x, x)


def erfinv(cnp.ndarray out not None, cnp.ndarray x not None):
    """Inverse of the error function."""
    run(erfinv_loops, out, x, x)


def silu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of silu."""
    run(silu_backward_loops, grad_in, grad, x)


def sigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray y not None):
    """Derivative of sigmoid, from its result y."""
    run(sigmoid_backward_loops, grad_in, grad, y)


def tanh_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray y not None):
    """Derivative of tanh, from its result y."""
    run(tanh_backward_loops, grad_in, grad, y)


def threshold_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                       double threshold):
    """Derivative of threshold."""
    run(threshold_backward_loops, grad_in, grad, x, threshold)


def softplus_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                      double beta, double threshold):
    """Derivative of softplus."""
    run(softplus_backward_loops, grad_in, grad, x, beta, threshold)


def leaky_relu_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                        double negative_slope):
    """Derivative of leaky_relu."""
    run(leaky_relu_backward_loops, grad_in, grad, x, negative_slope)


def hardtanh_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None,
                      double min_val, double max_val):
    """Derivative of hardtanh."""
    run(hardtanh_backward_loops, grad_in, grad, x, min_val, max_val)


def mish_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of mish."""
    run(mish_backward_loops, grad_in, grad, x)


def hardswish_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of hardswish."""
    run(hardswish_backward_loops, grad_in, grad, x)


def hardsigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of hardsigmoid."""
    run(hardsigmoid_backward_loops, grad_in, grad, x)


def logsigmoid_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None):
    """Derivative of logsigmoid."""
    run(logsigmoid_backward_loops, grad_in, grad, x)


def shrink_backward(cnp.ndarray grad_in not None, cnp.ndarray grad not None, cnp.ndarray x not None, double lambd):
    """Derivative of hardshrink and softshrink."""
    run(shrink_backward_loops, grad_in, grad, x, lambd)
