# cython: language_level=3
"""What kernels ask of an array before anything else, without a Python object for the answer; array_facts.py is the
same in plain Python."""
cimport numpy as cnp

cnp.import_array()


def is_compact(cnp.ndarray array not None):
    return cnp.PyArray_IS_C_CONTIGUOUS(array)


def is_wide(cnp.ndarray array not None):
    cdef int kind = cnp.PyArray_TYPE(array)
    return (kind == cnp.NPY_FLOAT or kind == cnp.NPY_DOUBLE) and cnp.PyArray_ISNOTSWAPPED(array)


def falls(cnp.ndarray array not None, tuple shape not None):
    cdef int nd = cnp.PyArray_NDIM(array), lead = len(shape) - nd, i
    cdef cnp.npy_intp least = 0, step
    for i in range(nd - 1, -1, -1):
        step = cnp.PyArray_STRIDE(array, i)
        if step == 0 or cnp.PyArray_DIM(array, i) == 1 and <Py_ssize_t>shape[lead + i] != 1:
            continue
        if step <= least:
            return False
        least = step
    return True


def spans(cnp.ndarray array not None, tuple dims not None):
    cdef Py_ssize_t n = len(dims), first, i
    cdef cnp.npy_intp outer = 1, within = 1, inner = 1
    if n == 0:
        return None
    first = dims[0]
    for i in range(1, n):
        if <Py_ssize_t>dims[i] != first + i:
            return None
    if first < 0 or first + n > cnp.PyArray_NDIM(array):
        raise IndexError(f"dimensions {dims} of an array of {cnp.PyArray_NDIM(array)}")
    for i in range(cnp.PyArray_NDIM(array)):
        if i < first:
            outer *= cnp.PyArray_DIM(array, i)
        elif i < first + n:
            within *= cnp.PyArray_DIM(array, i)
        else:
            inner *= cnp.PyArray_DIM(array, i)
    return outer, within, inner
