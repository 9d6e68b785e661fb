# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Arithmetic, comparison and choice on arrays of any layout, broadcast to their result."""
cimport numpy as cnp
from libc.stdint cimport INT64_MAX, INT64_MIN, int64_t
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, refused
from .walk cimport BFLOAT16, NOT_HALF, SHARE, add_operand, begin_walk, finish_walk, half_kind, inner_loop, is_apart, \
    move_loops, walk

from ..reference import pointwise as reference

cnp.import_array()

cdef extern from "pointwise.h" nogil:
    enum: F32, F64, I32, I64, BF16
    # the loops for these types; without one for bfloat16 that of float32 computes it
    const inner_loop* add_loops
    const inner_loop* sub_loops
    const inner_loop* mul_loops
    const inner_loop* div_loops
    const inner_loop* truncated_loops
    const inner_loop* logical_and_loops
    const inner_loop* logical_or_loops
    const inner_loop* logical_xor_loops
    const inner_loop* eq_loops
    const inner_loop* ne_loops
    const inner_loop* lt_loops
    const inner_loop* le_loops
    const inner_loop* gt_loops
    const inner_loop* ge_loops
    const inner_loop* axpy_loops
    const inner_loop* clamp_loops  # and for uint8, int8 and int16
    const inner_loop* clamp_between_loops
    ctypedef struct bounds:
        double lo
        double hi
        int64_t int_lo
        int64_t int_hi
    # by the bytes of an element
    const inner_loop* choose_loops

cdef enum:
    LARGEST = 16  # bytes of an element that is moved or chosen


cdef inline int slot(cnp.ndarray a) noexcept:
    """Which loop computes a type; half precision is computed in float32."""
    cdef int kind = cnp.PyArray_TYPE(a)
    if kind == cnp.NPY_FLOAT or half_kind(a) != NOT_HALF:
        return 0
    if kind == cnp.NPY_DOUBLE:
        return 1
    if kind == cnp.NPY_INT32:
        return 2
    return 3 if kind == cnp.NPY_INT64 else -1


cdef inline bint is_one_line(cnp.ndarray out, cnp.ndarray a, cnp.ndarray b, Py_ssize_t n) noexcept:
    """Whether arrays lie in memory without gaps, in one shape; one of the operands may be a single number."""
    return PyArray_ISCARRAY(out) and is_line(a, out, n) and is_line(b, out, n)


cdef inline bint is_line(cnp.ndarray a, cnp.ndarray out, Py_ssize_t n) noexcept:
    if cnp.PyArray_NDIM(a) == 0:
        return PyArray_ISCARRAY_RO(a)
    return (cnp.PyArray_SIZE(a) == n and cnp.PyArray_NDIM(a) == cnp.PyArray_NDIM(out) and PyArray_ISCARRAY_RO(a)
            and is_apart(out, a))


cdef inline bint ends_dense(cnp.ndarray a) noexcept:
    """Whether the elements of the last dimension lie side by side, or there is one; others are widened in small blocks."""
    cdef int last = cnp.PyArray_NDIM(a) - 1
    return last < 0 or cnp.PyArray_STRIDE(a, last) == cnp.PyArray_ITEMSIZE(a) or cnp.PyArray_DIM(a, last) == 1


cdef int run(const inner_loop* loops, cnp.ndarray out, cnp.ndarray a, cnp.ndarray b, bint compares,
             const void *extra) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int kind = cnp.PyArray_TYPE(a), at = slot(a), half = half_kind(a)
    # a number of float32 that halves are computed with
    cdef bint is_number = half != NOT_HALF and cnp.PyArray_TYPE(b) == cnp.NPY_FLOAT and cnp.PyArray_SIZE(b) == 1
    if half == BFLOAT16 and loops[BF16] != NULL and not is_number and ends_dense(out) and ends_dense(a) \
            and ends_dense(b):
        at, half = BF16, NOT_HALF
    if at < 0 or loops[at] == NULL:
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    if cnp.PyArray_TYPE(b) != kind and not is_number:
        refused(b, n)
    if cnp.PyArray_TYPE(out) != (cnp.NPY_BOOL if compares else kind):
        refused(out, n)
    cdef char *places[3]
    cdef Py_ssize_t steps[3]
    if n <= SHARE and half == NOT_HALF and is_one_line(out, a, b, n):
        places[0], places[1], places[2] = cnp.PyArray_BYTES(out), cnp.PyArray_BYTES(a), cnp.PyArray_BYTES(b)
        steps[0] = cnp.PyArray_ITEMSIZE(out)
        steps[1] = cnp.PyArray_ITEMSIZE(a) if cnp.PyArray_NDIM(a) else 0
        steps[2] = cnp.PyArray_ITEMSIZE(b) if cnp.PyArray_NDIM(b) else 0
        loops[at](places, steps, n, extra)
        return 1
    cdef walk w
    begin_walk(&w, loops[at], extra, half, out)
    add_operand(&w, 1, a, out)
    add_operand(&w, 2, b, out)
    w.operands, w.is_plain[0], w.is_plain[2] = 3, compares, is_number
    return finish_walk(&w, n)


def add(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, alpha=1):
    """a + alpha * b."""
    cdef double factor
    cdef float small
    if alpha == 1:
        if not run(add_loops, out, a, b, False, NULL):
            reference.add(out, a, b)
        return
    cdef int kind = cnp.PyArray_TYPE(a)
    if slot(a) > 1 or slot(a) < 0:
        return reference.add(out, a, b, alpha)
    factor = alpha
    small = <float>factor
    if not run(axpy_loops, out, a, b, False, <void *>&factor if kind == cnp.NPY_DOUBLE else <void *>&small):
        reference.add(out, a, b, alpha)


def sub(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, alpha=1):
    """a - alpha * b."""
    if alpha == 1:
        if not run(sub_loops, out, a, b, False, NULL):
            reference.sub(out, a, b)
    else:
        add(out, a, b, -alpha)


def mul(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a * b."""
    if not run(mul_loops, out, a, b, False, NULL):
        reference.mul(out, a, b)


def div(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a / b."""
    if not run(div_loops, out, a, b, False, NULL):
        reference.div(out, a, b)


def truncated_quotient(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a / b towards zero; integers by zero are zero."""
    if not run(truncated_loops, out, a, b, False, NULL):
        reference.truncated_quotient(out, a, b)


def logical_and(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """Whether both are true."""
    if not run(logical_and_loops, out, a, b, True, NULL):
        reference.logical_and(out, a, b)


def logical_or(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """Whether either is true."""
    if not run(logical_or_loops, out, a, b, True, NULL):
        reference.logical_or(out, a, b)


def logical_xor(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """Whether one of the two is true."""
    if not run(logical_xor_loops, out, a, b, True, NULL):
        reference.logical_xor(out, a, b)


def eq(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a == b."""
    if not run(eq_loops, out, a, b, True, NULL):
        reference.eq(out, a, b)


def ne(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a != b."""
    if not run(ne_loops, out, a, b, True, NULL):
        reference.ne(out, a, b)


def lt(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a < b."""
    if not run(lt_loops, out, a, b, True, NULL):
        reference.lt(out, a, b)


def le(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a <= b."""
    if not run(le_loops, out, a, b, True, NULL):
        reference.le(out, a, b)


def gt(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a > b."""
    if not run(gt_loops, out, a, b, True, NULL):
        reference.gt(out, a, b)


def ge(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a >= b."""
    if not run(ge_loops, out, a, b, True, NULL):
        reference.ge(out, a, b)


cdef inline int bounded_slot(cnp.ndarray a) noexcept:
    """The same among loops that small whole numbers have, too."""
    cdef int kind = cnp.PyArray_TYPE(a), at = slot(a)
    return (at if at >= 0 else 4 if kind == cnp.NPY_UINT8 else 5 if kind == cnp.NPY_INT8
            else 6 if kind == cnp.NPY_INT16 else -1)


cdef int64_t whole_bound(cnp.ndarray a, bound, bint is_upper) except? -1:
    """A bound of whole numbers, which has to fit their type; without one, the end of its range."""
    cdef int bits = 8 * cnp.PyArray_ITEMSIZE(a)
    cdef int64_t least = 0 if cnp.PyArray_TYPE(a) == cnp.NPY_UINT8 else INT64_MIN >> (64 - bits)
    cdef int64_t most = INT64_MAX >> (64 - bits) if least else 255
    if bound is None:
        return most if is_upper else least
    if not least <= bound <= most:
        raise OverflowError(f"clamp: the bound {bound} does not fit {a.dtype}")
    return bound


cdef int limit(cnp.ndarray out, cnp.ndarray a, object lo, object hi) except -1:
    cdef int kind = cnp.PyArray_TYPE(a), at = bounded_slot(a)
    if at < 0:
        return 0
    if cnp.PyArray_TYPE(out) != kind:
        refused(out, cnp.PyArray_SIZE(a))
    cdef bounds between
    if at < 2:
        between.lo = -float("inf") if lo is None else lo
        between.hi = float("inf") if hi is None else hi
    else:
        between.int_lo, between.int_hi = whole_bound(a, lo, False), whole_bound(a, hi, True)
    cdef walk w
    begin_walk(&w, clamp_loops[at], &between, half_kind(a), out)
    add_operand(&w, 1, a, out)
    w.operands = 2
    return finish_walk(&w, cnp.PyArray_SIZE(out))


def clamp_between(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray lo not None, cnp.ndarray hi not None):
    """a held between the elements of two arrays; a NaN among the three stays, and hi wins where the two cross."""
    cdef int at = bounded_slot(a), kind = cnp.PyArray_TYPE(a), k = 1
    cdef walk w
    if at < 0 or cnp.PyArray_TYPE(out) != kind or cnp.PyArray_TYPE(lo) != kind or cnp.PyArray_TYPE(hi) != kind:
        return reference.clamp_between(out, a, lo, hi)
    begin_walk(&w, clamp_between_loops[at], NULL, half_kind(a), out)
    for operand in (a, lo, hi):
        add_operand(&w, k, operand, out)
        k += 1
    w.operands = k
    if not finish_walk(&w, cnp.PyArray_SIZE(out)):
        reference.clamp_between(out, a, lo, hi)


def clamp(cnp.ndarray out not None, cnp.ndarray a not None, lo, hi):
    """a held between lo and hi (None: no bound); NaN stays, and hi wins where the two cross."""
    if not limit(out, a, lo, hi):
        reference.clamp(out, a, lo, hi)


def clamp_min(cnp.ndarray out not None, cnp.ndarray a not None, lo):
    """a, or lo where that is larger; NaN stays."""
    if not limit(out, a, lo, None):
        reference.clamp_min(out, a, lo)


def clamp_max(cnp.ndarray out not None, cnp.ndarray a not None, hi):
    """a, or hi where that is smaller; NaN stays."""
    if not limit(out, a, None, hi):
        reference.clamp_max(out, a, hi)


cdef inline inner_loop of_size(const inner_loop* loops, cnp.ndarray out) noexcept:
    return loops[cnp.PyArray_ITEMSIZE(out) if cnp.PyArray_ITEMSIZE(out) <= LARGEST else 0]


def where(cnp.ndarray out not None, cnp.ndarray condition not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a where the condition holds, else b."""
    cdef inner_loop choose = of_size(choose_loops, out)
    cdef int kind = cnp.PyArray_TYPE(out), k
    if choose == NULL:
        return reference.where(out, condition, a, b)
    if cnp.PyArray_TYPE(condition) != cnp.NPY_BOOL or cnp.PyArray_TYPE(a) != kind or cnp.PyArray_TYPE(b) != kind:
        refused(condition, cnp.PyArray_SIZE(out))
    cdef walk w
    begin_walk(&w, choose, NULL, NOT_HALF, out)
    k = 1
    for operand in (condition, a, b):
        add_operand(&w, k, operand, out)
        k += 1
    w.operands = k
    if not finish_walk(&w, cnp.PyArray_SIZE(out)):
        reference.where(out, condition, a, b)


def copy(cnp.ndarray out not None, cnp.ndarray a not None):
    """The values of an array of the same type, broadcast to the result."""
    transcribe(out, a)


cdef int transcribe(cnp.ndarray out, cnp.ndarray a) except -1:
    cdef inner_loop move = of_size(move_loops, out)
    if move == NULL or cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(a):
        reference.copy(out, a)
        return 0
    cdef walk w
    begin_walk(&w, move, NULL, NOT_HALF, out)
    add_operand(&w, 1, a, out)
    w.operands, w.moves = 2, True
    if not finish_walk(&w, cnp.PyArray_SIZE(out)):
        reference.copy(out, a)
    return 0
