# cython: language_level=3, boundscheck=False, wraparound=False
"""NumPy's own loops without the call around them: over a few numbers that costs ten times more, and over many it keeps
all threads but one waiting.

The loops are those that the call would pick, so the bits are the same; half precision is computed in float32 and rounded
once. They leave the processor's flags behind, which NumPy clears before it looks at them, and warn of nothing.
"""
cimport numpy as cnp
from libc.string cimport memcpy
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, elements
from .walk cimport NOT_HALF, PyArray_ISBEHAVED, PyArray_ISBEHAVED_RO, SHARE, add_operand, begin_walk, finish_walk, \
    half_kind, inner_loop, is_apart, walk

import numpy as np

cnp.import_array()
cnp.import_umath()

cdef extern from "own_lines.h" nogil:
    inner_loop negative_c64, negative_c128, conjugate_c64, conjugate_c128, reciprocal_c64, reciprocal_c128
    inner_loop sin_f64, cos_f64
    inner_loop not_u8, not_i16, not_i32, not_i64, not_f32, not_f64, not_c64, not_c128
    inner_loop left_u8, left_i8, left_i16, left_i32, left_i64, right_u8, right_i8, right_i16, right_i32, right_i64

cdef enum:
    MOST_ARGUMENTS = 3
    MOST_OWN = 64

ctypedef void (*numpy_loop)(char **places, cnp.npy_intp *n, cnp.npy_intp *steps, void *data) noexcept nogil

cdef struct numpy_line:
    numpy_loop run
    void *data
    int inputs


cdef struct own_line:
    # a line of ours in the place of a function's loop for numbers of a type
    void *function
    int kind
    inner_loop run

cdef own_line own_lines[MOST_OWN]
cdef int own_count = 0


cdef void enter(function, int kind, inner_loop run):
    global own_count
    own_lines[own_count].function, own_lines[own_count].kind, own_lines[own_count].run = <void *>function, kind, run
    own_count += 1


cdef void enter_lines():
    enter(np.negative, cnp.NPY_COMPLEX64, negative_c64)
    enter(np.negative, cnp.NPY_COMPLEX128, negative_c128)
    enter(np.conjugate, cnp.NPY_COMPLEX64, conjugate_c64)
    enter(np.conjugate, cnp.NPY_COMPLEX128, conjugate_c128)
    enter(np.reciprocal, cnp.NPY_COMPLEX64, reciprocal_c64)
    enter(np.reciprocal, cnp.NPY_COMPLEX128, reciprocal_c128)
    enter(np.sin, cnp.NPY_DOUBLE, sin_f64)
    enter(np.cos, cnp.NPY_DOUBLE, cos_f64)
    enter(np.logical_not, cnp.NPY_BOOL, not_u8)
    enter(np.logical_not, cnp.NPY_UINT8, not_u8)
    enter(np.logical_not, cnp.NPY_INT8, not_u8)
    enter(np.logical_not, cnp.NPY_INT16, not_i16)
    enter(np.logical_not, cnp.NPY_INT32, not_i32)
    enter(np.logical_not, cnp.NPY_INT64, not_i64)
    enter(np.logical_not, cnp.NPY_FLOAT, not_f32)
    enter(np.logical_not, cnp.NPY_DOUBLE, not_f64)
    enter(np.logical_not, cnp.NPY_COMPLEX64, not_c64)
    enter(np.logical_not, cnp.NPY_COMPLEX128, not_c128)
    enter(np.left_shift, cnp.NPY_UINT8, left_u8)
    enter(np.left_shift, cnp.NPY_INT8, left_i8)
    enter(np.left_shift, cnp.NPY_INT16, left_i16)
    enter(np.left_shift, cnp.NPY_INT32, left_i32)
    enter(np.left_shift, cnp.NPY_INT64, left_i64)
    enter(np.right_shift, cnp.NPY_UINT8, right_u8)
    enter(np.right_shift, cnp.NPY_INT8, right_i8)
    enter(np.right_shift, cnp.NPY_INT16, right_i16)
    enter(np.right_shift, cnp.NPY_INT32, right_i32)
    enter(np.right_shift, cnp.NPY_INT64, right_i64)


enter_lines()


cdef inline inner_loop find_own(cnp.ufunc function, int kind) noexcept:
    """The line of ours for numbers of a type; NULL if there is none."""
    cdef int k
    for k in range(own_count):
        if own_lines[k].function == <void *>function and own_lines[k].kind == kind:
            return own_lines[k].run
    return NULL


cdef void run_line(char *const *at, const Py_ssize_t *steps, Py_ssize_t n, const void *extra) noexcept nogil:
    """A line of a walk, whose result comes first; NumPy has it last."""
    cdef const numpy_line *line = <const numpy_line *>extra
    cdef char *places[MOST_ARGUMENTS]
    cdef cnp.npy_intp lengths[MOST_ARGUMENTS]
    cdef cnp.npy_intp count = n
    cdef int k
    for k in range(line.inputs):
        places[k], lengths[k] = at[k + 1], steps[k + 1]
    places[line.inputs], lengths[line.inputs] = at[0], steps[0]
    line.run(places, &count, lengths, line.data)


cdef inline Py_ssize_t find(cnp.ufunc function, const int *kinds) noexcept:
    """Which loop of a function is for numbers of these types; -1 if none is."""
    cdef Py_ssize_t row, k
    for row in range(function.ntypes):
        for k in range(function.nargs):
            if function.types[row * function.nargs + k] != kinds[k]:
                break
        else:
            return row if function.functions[row] != NULL else -1
    return -1


cdef inline bint is_line(cnp.ndarray a, cnp.ndarray out, Py_ssize_t n) noexcept:
    """Whether an operand lies side by side in the shape of the result, apart from it, or is a single number."""
    if not PyArray_ISCARRAY_RO(a):
        return False
    if cnp.PyArray_NDIM(a) != cnp.PyArray_NDIM(out):
        return cnp.PyArray_NDIM(a) == 0
    for d in range(cnp.PyArray_NDIM(a)):
        if cnp.PyArray_DIM(a, d) != cnp.PyArray_DIM(out, d):
            return False
    return is_apart(out, a) and (cnp.PyArray_ITEMSIZE(a) == cnp.PyArray_ITEMSIZE(out)
                                 or cnp.PyArray_DATA(a) != cnp.PyArray_DATA(out))


cpdef bint run_numpy_loop(function, out, first, second=None) except -1:
    """Write what a ufunc makes of one or two arrays of one type, broadcast; False where it has to be called."""
    cdef cnp.ufunc ufunc = <cnp.ufunc?>function
    cdef cnp.ndarray result = <cnp.ndarray?>out
    cdef cnp.ndarray operand
    cdef char *places[MOST_ARGUMENTS]
    cdef cnp.npy_intp steps[MOST_ARGUMENTS]
    cdef int kinds[MOST_ARGUMENTS]
    cdef cnp.npy_intp n = cnp.PyArray_SIZE(result)
    cdef Py_ssize_t row
    cdef int k = 0, inputs = 1 if second is None else 2
    if ufunc.nin != inputs or ufunc.nout != 1:
        return False
    if n > SHARE or not PyArray_ISCARRAY(result) \
            or find_own(ufunc, cnp.PyArray_TYPE(<cnp.ndarray?>first)) != NULL:
        return walk_numpy_loop(ufunc, result, (first,) if second is None else (first, second))
    for k in range(inputs):
        operand = <cnp.ndarray?>(first if k == 0 else second)
        kinds[k] = cnp.PyArray_TYPE(operand)
        if not is_line(operand, result, n) or half_kind(operand) != NOT_HALF:
            return walk_numpy_loop(ufunc, result, (first,) if second is None else (first, second))
        places[k] = <char *>cnp.PyArray_DATA(operand)
        steps[k] = cnp.PyArray_ITEMSIZE(operand) if cnp.PyArray_NDIM(operand) else 0
    kinds[inputs] = cnp.PyArray_TYPE(result)
    places[inputs], steps[inputs] = <char *>cnp.PyArray_DATA(result), cnp.PyArray_ITEMSIZE(result)
    row = -1 if kinds[inputs] == cnp.NPY_OBJECT else find(ufunc, kinds)
    if row < 0:
        return False
    ufunc.functions[row](places, &n, steps, ufunc.data[row])
    return True


cdef bint walk_numpy_loop(cnp.ufunc ufunc, cnp.ndarray out, tuple operands) except -1:
    """The same on arrays of any layout, and on threads; False where NumPy has to be called."""
    cdef numpy_line line
    cdef walk w
    cdef int kinds[MOST_ARGUMENTS]
    cdef int k, half = half_kind(<cnp.ndarray?>operands[0]), inputs = len(operands)
    cdef int kind = cnp.PyArray_TYPE(<cnp.ndarray>operands[0])
    cdef cnp.ndarray operand
    for k in range(inputs):
        operand = <cnp.ndarray?>operands[k]
        kinds[k] = cnp.PyArray_TYPE(operand) if half == NOT_HALF else cnp.NPY_FLOAT
        if cnp.PyArray_TYPE(operand) != kind or not PyArray_ISBEHAVED_RO(operand) or not broadcasts(operand, out):
            return False
    cdef bint is_same = cnp.PyArray_TYPE(out) == kind
    kinds[inputs] = cnp.NPY_FLOAT if half != NOT_HALF and is_same else cnp.PyArray_TYPE(out)
    cdef Py_ssize_t row = -1 if kinds[inputs] == cnp.NPY_OBJECT else find(ufunc, kinds)
    if row < 0 or not PyArray_ISBEHAVED(out):
        return False
    line.run, line.data, line.inputs = <numpy_loop>ufunc.functions[row], ufunc.data[row], inputs
    cdef inner_loop own = find_own(ufunc, kinds[0])
    begin_walk(&w, run_line if own == NULL else own, &line, half, out)
    for k in range(inputs):
        add_operand(&w, k + 1, operands[k], out)
    w.operands, w.is_plain[0] = inputs + 1, not is_same
    return finish_walk(&w, cnp.PyArray_SIZE(out))


cdef inline bint broadcasts(cnp.ndarray a, cnp.ndarray out) noexcept:
    """Whether an array can be seen in the shape of another."""
    cdef int lead = cnp.PyArray_NDIM(out) - cnp.PyArray_NDIM(a), d
    for d in range(cnp.PyArray_NDIM(a)):
        if lead < 0 or cnp.PyArray_DIM(a, d) != cnp.PyArray_DIM(out, lead + d) and cnp.PyArray_DIM(a, d) != 1:
            return False
    return lead >= 0


cpdef bint reduce_by_numpy_loop(function, out, source, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner) except -1:
    """Reduce the middle one of three dimensions in any order; False where NumPy has to be called."""
    cdef cnp.ufunc ufunc = <cnp.ufunc?>function
    cdef cnp.ndarray result = <cnp.ndarray?>out
    cdef cnp.ndarray a = <cnp.ndarray?>source
    cdef cnp.npy_intp size = cnp.PyArray_ITEMSIZE(a), count
    cdef cnp.npy_intp steps[MOST_ARGUMENTS]
    cdef char *places[MOST_ARGUMENTS]
    cdef int kinds[MOST_ARGUMENTS]
    cdef Py_ssize_t row, line, k
    if ufunc.nin != 2 or ufunc.nout != 1 or n < 1 or elements(outer, n, inner) > SHARE:
        return False
    if cnp.PyArray_SIZE(a) != outer * n * inner or cnp.PyArray_SIZE(result) != outer * inner:
        return False
    if not (PyArray_ISCARRAY(result) and PyArray_ISCARRAY_RO(a) and is_apart(result, a)
            and cnp.PyArray_DATA(a) != cnp.PyArray_DATA(result)):
        return False
    kinds[0] = kinds[1] = cnp.PyArray_TYPE(a)
    kinds[2] = cnp.PyArray_TYPE(result)
    row = -1 if kinds[2] == cnp.NPY_OBJECT or kinds[2] != kinds[0] else find(ufunc, kinds)
    if row < 0:
        return False
    steps[0] = steps[2] = size if inner > 1 else 0
    steps[1] = size
    for line in range(outer):
        places[0] = places[2] = <char *>cnp.PyArray_DATA(result) + line * inner * size
        places[1] = <char *>cnp.PyArray_DATA(a) + line * n * inner * size
        memcpy(places[0], places[1], inner * size)
        if inner == 1:
            count = n - 1
            places[1] += size
            ufunc.functions[row](places, &count, steps, ufunc.data[row])
            continue
        for k in range(1, n):
            count = inner
            places[1] += inner * size
            ufunc.functions[row](places, &count, steps, ufunc.data[row])
    return True
