# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Arithmetic, comparison and choice on contiguous arrays of one shape; one operand may be a 0-d array."""
cimport numpy as cnp
from libc.stdint cimport INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, int64_t, uint8_t
from .arrays cimport data, into, is_real

from ..reference import pointwise as reference
from .update import axpy

cnp.import_array()

cdef extern from "pointwise.h" nogil:
    ctypedef void (*binary)(void*, void*, void*, Py_ssize_t, int) noexcept nogil
    ctypedef void (*clamping)(void*, void*, Py_ssize_t, double, double, int64_t, int64_t) noexcept nogil
    ctypedef void (*choosing)(void*, uint8_t*, void*, void*, Py_ssize_t, int, int) noexcept nogil
    # the loops for float32, float64, int32 and int64
    const binary* add_loops
    const binary* sub_loops
    const binary* mul_loops
    const binary* div_loops
    const binary* eq_loops
    const binary* ne_loops
    const binary* lt_loops
    const binary* le_loops
    const binary* gt_loops
    const binary* ge_loops
    const clamping* clamp_loops
    void choose_uint8_t(void*, uint8_t*, void*, void*, Py_ssize_t, int, int) noexcept
    void choose_uint16_t(void*, uint8_t*, void*, void*, Py_ssize_t, int, int) noexcept
    void choose_uint32_t(void*, uint8_t*, void*, void*, Py_ssize_t, int, int) noexcept
    void choose_uint64_t(void*, uint8_t*, void*, void*, Py_ssize_t, int, int) noexcept

cdef enum:
    LONG = 100_000  # elements from which other threads may run meanwhile


cdef inline int slot(int kind) noexcept:
    if kind == cnp.NPY_FLOAT:
        return 0
    if kind == cnp.NPY_DOUBLE:
        return 1
    if kind == cnp.NPY_INT32:
        return 2
    return 3 if kind == cnp.NPY_INT64 else -1


cdef int run(const binary* loops, cnp.ndarray out, cnp.ndarray a, cnp.ndarray b, bint compares) except -1:
    """Runs the loop of this dtype; 0 if there is none, and NumPy has to do it."""
    cdef int kind = cnp.PyArray_TYPE(a), at = slot(kind), scalar = 0
    if at < 0 or loops[at] == NULL:
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    if cnp.PyArray_NDIM(a) == 0:
        scalar = 1
    elif cnp.PyArray_NDIM(b) == 0:
        scalar = 2
    cdef void* to = into(out, cnp.NPY_BOOL if compares else kind, n)
    cdef void* x = data(a, kind, 1 if scalar == 1 else n)
    cdef void* y = data(b, kind, 1 if scalar == 2 else n)
    if n < LONG:
        loops[at](to, x, y, n, scalar)
    else:
        with nogil:
            loops[at](to, x, y, n, scalar)
    return 1


def add(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, alpha=1):
    """a + alpha * b."""
    if alpha == 1:
        if not run(add_loops, out, a, b, False):
            reference.add(out, a, b)
    elif cnp.PyArray_NDIM(b) == cnp.PyArray_NDIM(a) and is_real(cnp.PyArray_TYPE(a)):
        axpy(out, a, b, alpha)
    else:
        reference.add(out, a, b, alpha)


def sub(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None, alpha=1):
    """a - alpha * b."""
    if alpha == 1:
        if not run(sub_loops, out, a, b, False):
            reference.sub(out, a, b)
    else:
        add(out, a, b, -alpha)


def mul(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a * b."""
    if not run(mul_loops, out, a, b, False):
        reference.mul(out, a, b)


def div(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a / b."""
    if not run(div_loops, out, a, b, False):
        reference.div(out, a, b)


def eq(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a == b."""
    if not run(eq_loops, out, a, b, True):
        reference.eq(out, a, b)


def ne(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a != b."""
    if not run(ne_loops, out, a, b, True):
        reference.ne(out, a, b)


def lt(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a < b."""
    if not run(lt_loops, out, a, b, True):
        reference.lt(out, a, b)


def le(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a <= b."""
    if not run(le_loops, out, a, b, True):
        reference.le(out, a, b)


def gt(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a > b."""
    if not run(gt_loops, out, a, b, True):
        reference.gt(out, a, b)


def ge(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a >= b."""
    if not run(ge_loops, out, a, b, True):
        reference.ge(out, a, b)


cdef int limit(cnp.ndarray out, cnp.ndarray a, object lo, object hi) except -1:
    cdef int kind = cnp.PyArray_TYPE(a), at = slot(kind)
    if at < 0:
        return 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(a)
    cdef double low = 0, high = 0
    cdef int64_t int_low = 0, int_high = 0
    if at < 2:
        low = -float("inf") if lo is None else lo
        high = float("inf") if hi is None else hi
    else:
        int_low = (<int64_t>INT32_MIN if at == 2 else INT64_MIN) if lo is None else <int64_t>lo
        int_high = (<int64_t>INT32_MAX if at == 2 else INT64_MAX) if hi is None else <int64_t>hi
        if at == 2 and not (INT32_MIN <= int_low <= INT32_MAX and INT32_MIN <= int_high <= INT32_MAX):
            raise OverflowError(f"clamp: the bounds {lo} and {hi} do not fit int32")
    clamp_loops[at](into(out, kind, n), data(a, kind, n), n, low, high, int_low, int_high)
    return 1


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


cdef choosing of_size(int size) noexcept:
    if size == 4:
        return choose_uint32_t
    if size == 8:
        return choose_uint64_t
    if size == 1:
        return choose_uint8_t
    if size == 2:
        return choose_uint16_t
    return NULL


def where(cnp.ndarray out not None, cnp.ndarray condition not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """a where the condition holds, else b; either may be a 0-d array."""
    cdef choosing choose = of_size(cnp.PyArray_ITEMSIZE(out))
    if choose == NULL:
        return reference.where(out, condition, a, b)
    cdef int kind = cnp.PyArray_TYPE(out), a_step = cnp.PyArray_NDIM(a) != 0, b_step = cnp.PyArray_NDIM(b) != 0
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    choose(into(out, kind, n), <uint8_t*>data(condition, cnp.NPY_BOOL, n), data(a, kind, n if a_step else 1),
           data(b, kind, n if b_step else 1), n, a_step, b_step)
