# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One number in, one out: roots, reciprocals, signs and exponentials of floating arrays of any layout."""
cimport numpy as cnp
from .walk cimport inner_loop, loop_over

import ml_dtypes
import numpy as np

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

cdef int BFLOAT16_KIND = np.dtype(ml_dtypes.bfloat16).num


def sqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """The square root."""
    loop_over(sqrt_loops, NULL, out, (x,), BFLOAT16_KIND)


def rsqrt(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over the square root."""
    loop_over(rsqrt_loops, NULL, out, (x,), BFLOAT16_KIND)


def reciprocal(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over x."""
    loop_over(reciprocal_loops, NULL, out, (x,), BFLOAT16_KIND)


def neg(cnp.ndarray out not None, cnp.ndarray x not None):
    """Minus x."""
    loop_over(neg_loops, NULL, out, (x,), BFLOAT16_KIND)


def abs(cnp.ndarray out not None, cnp.ndarray x not None):
    """x without its sign."""
    loop_over(abs_loops, NULL, out, (x,), BFLOAT16_KIND)


def exp(cnp.ndarray out not None, cnp.ndarray x not None):
    """e to the x."""
    loop_over(exp_loops, NULL, out, (x,), BFLOAT16_KIND)


def tanh(cnp.ndarray out not None, cnp.ndarray x not None):
    """The hyperbolic tangent."""
    loop_over(tanh_loops, NULL, out, (x,), BFLOAT16_KIND)
