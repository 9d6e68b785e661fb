# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Modified Bessel functions of the first kind on floating arrays of any layout."""
cimport numpy as cnp
from .walk cimport inner_loop, loop_over

cnp.import_array()

cdef extern from "bessel.h" nogil:
    # the float loop and the double loop of each
    const inner_loop* i0_loops
    const inner_loop* i0e_loops
    const inner_loop* i1_loops
    const inner_loop* i1e_loops


def bessel_i0(cnp.ndarray out not None, cnp.ndarray x not None):
    """Of order zero."""
    loop_over(i0_loops, NULL, out, (x,))


def bessel_i0e(cnp.ndarray out not None, cnp.ndarray x not None):
    """Of order zero, times exp(-|x|)."""
    loop_over(i0e_loops, NULL, out, (x,))


def bessel_i1(cnp.ndarray out not None, cnp.ndarray x not None):
    """Of order one."""
    loop_over(i1_loops, NULL, out, (x,))


def bessel_i1e(cnp.ndarray out not None, cnp.ndarray x not None):
    """Of order one, times exp(-|x|)."""
    loop_over(i1e_loops, NULL, out, (x,))
