# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One number in, one out: roots, reciprocals, signs and exponentials of floating arrays of any layout."""
cimport numpy as cnp
from .walk cimport inner_loop, loop_over

cnp.import_array()

cdef extern from "unary.h" nogil:
    # the float loop and the double loop of each
    const inner_loop* sqrt_loops
    const inner_loop* rsqrt_loops
    const inner_loop* reciprocal_loops
    const inner_loop* neg_loops
    const inner_loop* abs_loops
    const inner_loop* exp_loops
    const inner_loop* tanh_loops
    const inner_loop* cube_loops
    const inner_loop* inverse_square_loops



def sqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """The square root."""
    loop_over(sqrt_loops, NULL, out, (x,))


def rsqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over the square root."""
    loop_over(rsqrt_loops, NULL, out, (x,))


def reciprocal(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over x."""
    loop_over(reciprocal_loops, NULL, out, (x,))


def neg(cnp.ndarray out not None, cnp.ndarray x not None):
    """Minus x."""
    loop_over(neg_loops, NULL, out, (x,))


def abs(cnp.ndarray out not None, cnp.ndarray x not None):
    """x without its sign."""
    loop_over(abs_loops, NULL, out, (x,))


def exp(cnp.ndarray out not None, cnp.ndarray x not None):
    """e to the x."""
    loop_over(exp_loops, NULL, out, (x,))


def tanh(cnp.ndarray out not None, cnp.ndarray x not None):
    """The hyperbolic tangent."""
    loop_over(tanh_loops, NULL, out, (x,))


def cube(cnp.ndarray out not None, cnp.ndarray x not None):
    """x times x times x."""
    loop_over(cube_loops, NULL, out, (x,))


def inverse_square(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over x times x."""
    loop_over(inverse_square_loops, NULL, out, (x,))
