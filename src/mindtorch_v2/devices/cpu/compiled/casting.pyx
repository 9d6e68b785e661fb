# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers of one type as another, in arrays of any layout."""
cimport numpy as cnp
from .walk cimport NOT_HALF, add_operand, begin_walk, finish_walk, half_kind, inner_loop, walk

from ..reference import casting as reference

cnp.import_array()

cdef extern from "casting.h" nogil:
    enum: BOOL, U8, I8, I16, I32, I64, F32, F64, C64, C128, CAST_TYPES
    const inner_loop cast_loops[CAST_TYPES][CAST_TYPES]
    ctypedef struct cast_by_floats:
        int of_half
        int to_half
        inner_loop read
        inner_loop write
        Py_ssize_t between
    void cast_in_blocks(char *const *at, const Py_ssize_t *steps, Py_ssize_t n, const void *extra) noexcept


cdef int type_of(cnp.ndarray a) noexcept:
    """The row and column of a type in the table; half precision is read and written as float32, -1 not at all."""
    cdef int kind = cnp.PyArray_TYPE(a)
    if kind == cnp.NPY_FLOAT or half_kind(a) != NOT_HALF:
        return F32
    if kind == cnp.NPY_DOUBLE:
        return F64
    if kind == cnp.NPY_INT64:
        return I64
    return (BOOL if kind == cnp.NPY_BOOL else I32 if kind == cnp.NPY_INT32 else U8 if kind == cnp.NPY_UINT8
            else I8 if kind == cnp.NPY_INT8 else I16 if kind == cnp.NPY_INT16 else C64 if kind == cnp.NPY_COMPLEX64
            else C128 if kind == cnp.NPY_COMPLEX128 else -1)


cdef inline int real_part(int of_type, int to) noexcept:
    """What a complex number is read as where a real one is wanted."""
    return of_type if of_type < C64 or to == BOOL or to >= C64 else F32 if of_type == C64 else F64


def cast(cnp.ndarray out not None, cnp.ndarray a not None):
    """The values of an array in the type of another, broadcast; False where there is no loop for the two types."""
    cdef int to = type_of(out), of = type_of(a), between
    cdef cast_by_floats c
    cdef inner_loop loop = NULL
    cdef walk w
    if to < 0 or of < 0:
        return False
    c.of_half, c.to_half, c.read, c.write = half_kind(a), half_kind(out), NULL, NULL
    of = real_part(of, to)
    if c.of_half == NOT_HALF and c.to_half == NOT_HALF:
        loop = cast_loops[to][of]
    if loop == NULL:
        between = F64 if to == C128 and c.of_half == NOT_HALF else F32
        c.between = sizeof(double) if between == F64 else sizeof(float)
        if c.of_half == NOT_HALF and of != between:
            c.read = cast_loops[between][of]
        if c.to_half == NOT_HALF and to != between:
            c.write = cast_loops[to][between]
        loop = cast_in_blocks
    begin_walk(&w, loop, &c, NOT_HALF, out)
    add_operand(&w, 1, a, out)
    w.operands = 2
    return finish_walk(&w, cnp.PyArray_SIZE(out)) or reference.cast(out, a)
