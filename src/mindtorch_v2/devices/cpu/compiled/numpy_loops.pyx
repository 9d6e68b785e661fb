# cython: language_level=3, boundscheck=False, wraparound=False
"""NumPy's own loops over a few numbers that lie side by side, without the call around them, which costs ten times more.

The loops are those that the call would pick, so the bits are the same. They leave the processor's flags behind, which
NumPy clears before it looks at them, and warn of nothing.
"""
cimport numpy as cnp
from libc.string cimport memcpy
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, elements
from .walk cimport SHARE, is_apart

cnp.import_array()
cnp.import_umath()

cdef enum:
    MOST_ARGUMENTS = 3


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
    """Write what a ufunc makes of one or two arrays of one type; False where it has to be called."""
    cdef cnp.ufunc ufunc = <cnp.ufunc?>function
    cdef cnp.ndarray result = <cnp.ndarray?>out
    cdef cnp.ndarray operand
    cdef char *places[MOST_ARGUMENTS]
    cdef cnp.npy_intp steps[MOST_ARGUMENTS]
    cdef int kinds[MOST_ARGUMENTS]
    cdef cnp.npy_intp n = cnp.PyArray_SIZE(result)
    cdef Py_ssize_t row
    cdef int k = 0, inputs = 1 if second is None else 2
    if ufunc.nin != inputs or ufunc.nout != 1 or n > SHARE or not PyArray_ISCARRAY(result):
        return False
    for k in range(inputs):
        operand = <cnp.ndarray?>(first if k == 0 else second)
        if not is_line(operand, result, n):
            return False
        kinds[k] = cnp.PyArray_TYPE(operand)
        places[k] = <char *>cnp.PyArray_DATA(operand)
        steps[k] = cnp.PyArray_ITEMSIZE(operand) if cnp.PyArray_NDIM(operand) else 0
    kinds[inputs] = cnp.PyArray_TYPE(result)
    places[inputs], steps[inputs] = <char *>cnp.PyArray_DATA(result), cnp.PyArray_ITEMSIZE(result)
    row = -1 if kinds[inputs] == cnp.NPY_OBJECT else find(ufunc, kinds)
    if row < 0:
        return False
    ufunc.functions[row](places, &n, steps, ufunc.data[row])
    return True


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
