# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One number in, one out: roots, signs, exponentials, logarithms, the gamma function; floating arrays of any layout."""
cimport numpy as cnp
from .walk cimport NOT_HALF, add_operand, begin_walk, finish_walk, half_kind, inner_loop, loop_over, walk

cnp.import_array()

cdef extern from "unary.h" nogil:
    # the float loop and the double loop of each
    const inner_loop* sqrt_loops
    const inner_loop* rsqrt_loops
    const inner_loop* reciprocal_loops
    const inner_loop* neg_loops
    const inner_loop* abs_loops
    const inner_loop* exp_loops
    const inner_loop* exp2_loops
    const inner_loop* tanh_loops
    const inner_loop* cube_loops
    const inner_loop* inverse_square_loops
    const inner_loop* sign_loops
    const inner_loop* frac_loops
    const inner_loop* erfc_loops
    const inner_loop* log_loops
    const inner_loop* log1p_loops
    const inner_loop* log2_loops
    const inner_loop* log10_loops
    const inner_loop* atanh_loops
    const inner_loop* logit_loops
    const inner_loop* finite_loops
    const inner_loop* digamma_loops
    const inner_loop* trigamma_loops
    const inner_loop* lgamma_loops
    inner_loop neg_half
    inner_loop abs_half


cdef int change_sign(const inner_loop* loops, inner_loop of_halves, cnp.ndarray out, cnp.ndarray x) except -1:
    """A loop over floats, or over the bits of half precision."""
    cdef walk w
    if half_kind(out) != NOT_HALF and cnp.PyArray_TYPE(out) == cnp.PyArray_TYPE(x):
        begin_walk(&w, of_halves, NULL, NOT_HALF, out)
        add_operand(&w, 1, x, out)
        w.operands = 2
        if finish_walk(&w, cnp.PyArray_SIZE(out)):
            return 0
    return loop_over(loops, NULL, out, (x,))


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
    change_sign(neg_loops, neg_half, out, x)


def abs(cnp.ndarray out not None, cnp.ndarray x not None):
    """x without its sign."""
    change_sign(abs_loops, abs_half, out, x)


def exp(cnp.ndarray out not None, cnp.ndarray x not None):
    """e to the x."""
    loop_over(exp_loops, NULL, out, (x,))


def exp2(cnp.ndarray out not None, cnp.ndarray x not None):
    """Two to the x."""
    loop_over(exp2_loops, NULL, out, (x,))


def tanh(cnp.ndarray out not None, cnp.ndarray x not None):
    """The hyperbolic tangent."""
    loop_over(tanh_loops, NULL, out, (x,))


def cube(cnp.ndarray out not None, cnp.ndarray x not None):
    """x times x times x."""
    loop_over(cube_loops, NULL, out, (x,))


def inverse_square(cnp.ndarray out not None, cnp.ndarray x not None):
    """One over x times x."""
    loop_over(inverse_square_loops, NULL, out, (x,))


def sign(cnp.ndarray out not None, cnp.ndarray x not None):
    """-1, 0 or 1; a NaN has no sign and gives 0."""
    loop_over(sign_loops, NULL, out, (x,))


def frac(cnp.ndarray out not None, cnp.ndarray x not None):
    """What lies behind the point."""
    loop_over(frac_loops, NULL, out, (x,))


def erfc(cnp.ndarray out not None, cnp.ndarray x not None):
    """1 - erf(x) with all its digits where that is close to zero."""
    loop_over(erfc_loops, NULL, out, (x,))


def log(cnp.ndarray out not None, cnp.ndarray x not None):
    """The natural logarithm."""
    loop_over(log_loops, NULL, out, (x,))


def log1p(cnp.ndarray out not None, cnp.ndarray x not None):
    """log(1 + x), exact near zero."""
    loop_over(log1p_loops, NULL, out, (x,))


def log2(cnp.ndarray out not None, cnp.ndarray x not None):
    """The logarithm in base two."""
    loop_over(log2_loops, NULL, out, (x,))


def log10(cnp.ndarray out not None, cnp.ndarray x not None):
    """The logarithm in base ten."""
    loop_over(log10_loops, NULL, out, (x,))


def atanh(cnp.ndarray out not None, cnp.ndarray x not None):
    """The inverse of tanh."""
    loop_over(atanh_loops, NULL, out, (x,))


def digamma(cnp.ndarray out not None, cnp.ndarray x not None):
    """The derivative of the logarithm of the gamma function; NaN at its poles, minus infinity at zero."""
    loop_over(digamma_loops, NULL, out, (x,))


def trigamma(cnp.ndarray out not None, cnp.ndarray x not None):
    """The derivative of digamma."""
    loop_over(trigamma_loops, NULL, out, (x,))


def lgamma(cnp.ndarray out not None, cnp.ndarray x not None):
    """The logarithm of the absolute value of the gamma function."""
    loop_over(lgamma_loops, NULL, out, (x,))


def logit(cnp.ndarray out not None, cnp.ndarray x not None, double eps):
    """log(x / (1 - x)), with x held between eps and 1 - eps; a negative eps is no bound."""
    cdef double numbers[3]
    numbers[0] = eps
    numbers[1] = numbers[2] = 0
    loop_over(logit_loops, numbers, out, (x,))


def finite(cnp.ndarray out not None, cnp.ndarray x not None, double nan, double posinf, double neginf):
    """x, with other numbers for a NaN and for the infinities."""
    cdef double numbers[3]
    numbers[0], numbers[1], numbers[2] = nan, posinf, neginf
    loop_over(finite_loops, numbers, out, (x,))
