# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Two real numbers in, one out: division with a rest, lengths, neighbours, sums of exponentials, powers; any layout."""
cimport numpy as cnp
from .walk cimport inner_loop, loop_over

cnp.import_array()

cdef extern from "binary.h" nogil:
    # the float loop and the double loop of each
    const inner_loop* fmod_loops
    const inner_loop* remainder_loops
    const inner_loop* floor_divide_loops
    const inner_loop* hypot_loops
    const inner_loop* nextafter_loops
    const inner_loop* copysign_loops
    const inner_loop* logaddexp_loops
    const inner_loop* logaddexp2_loops
    const inner_loop* xlogy_loops
    const inner_loop* pow_loops
    const inner_loop* prelu_loops


def fmod(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The rest of a division towards zero; it has the sign of x."""
    loop_over(fmod_loops, NULL, out, (x, y))


def remainder(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The rest of a division towards minus infinity; it has the sign of y."""
    loop_over(remainder_loops, NULL, out, (x, y))


def floor_divide(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The quotient, rounded towards minus infinity."""
    loop_over(floor_divide_loops, NULL, out, (x, y))


def hypot(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The length of the hypotenuse over x and y."""
    loop_over(hypot_loops, NULL, out, (x, y))


def nextafter(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The number next to x in the direction of y."""
    loop_over(nextafter_loops, NULL, out, (x, y))


def copysign(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """x with the sign of y."""
    loop_over(copysign_loops, NULL, out, (x, y))


def logaddexp(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """log(exp(x) + exp(y)) without overflow."""
    loop_over(logaddexp_loops, NULL, out, (x, y))


def logaddexp2(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """The same in base two."""
    loop_over(logaddexp2_loops, NULL, out, (x, y))


def xlogy(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """x log(y), which is zero where x is."""
    loop_over(xlogy_loops, NULL, out, (x, y))


def pow(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """x to the power of y."""
    loop_over(pow_loops, NULL, out, (x, y))


def prelu(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray y not None):
    """x above zero, x * y elsewhere."""
    loop_over(prelu_loops, NULL, out, (x, y))
