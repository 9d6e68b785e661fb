# cython: language_level=3
"""What kernels ask of an array before anything else, without a Python object for the answer; array_facts.py is the
same in plain Python."""
cimport numpy as cnp

from .compiled.arrays cimport PyArray_ISCARRAY_RO

cnp.import_array()


cdef inline int refuse_none(array) except -1:
    if array is None:
        raise TypeError("an array is wanted, not None")
    return 0


cpdef bint is_compact(cnp.ndarray array) except -1:
    refuse_none(array)
    return cnp.PyArray_IS_C_CONTIGUOUS(array)


cpdef Py_ssize_t size_of(cnp.ndarray array) except -1:
    refuse_none(array)
    return cnp.PyArray_SIZE(array)


cpdef bint is_wide(cnp.ndarray array) except -1:
    cdef int kind
    refuse_none(array)
    kind = cnp.PyArray_TYPE(array)
    return (kind == cnp.NPY_FLOAT or kind == cnp.NPY_DOUBLE) and cnp.PyArray_ISNOTSWAPPED(array)


cpdef bint is_half(array) except -1:
    cdef char kind
    if not isinstance(array, cnp.ndarray) or cnp.PyArray_ITEMSIZE(array) != 2:
        return False
    kind = (<cnp.ndarray>array).descr.kind
    return kind == c"f" or kind == c"V"


cpdef bint is_whole(cnp.ndarray array) except -1:
    cdef char kind
    cdef int size
    refuse_none(array)
    kind, size = array.descr.kind, cnp.PyArray_ITEMSIZE(array)
    return kind == c"b" or kind == c"u" and size == 1 or kind == c"i" and cnp.PyArray_ISNOTSWAPPED(array)


cpdef bint are_between(cnp.ndarray array, Py_ssize_t low, Py_ssize_t high) except -1:
    cdef cnp.npy_int64 *values
    cdef Py_ssize_t i
    refuse_none(array)
    if not (cnp.PyArray_TYPE(array) == cnp.NPY_INT64 and PyArray_ISCARRAY_RO(array)):
        return not ((array < low) | (array >= high)).any()
    values = <cnp.npy_int64 *>cnp.PyArray_DATA(array)
    for i in range(cnp.PyArray_SIZE(array)):
        if values[i] < low or values[i] >= high:
            return False
    return True


def only_number(cnp.ndarray array not None):
    cdef int kind = cnp.PyArray_TYPE(array)
    if cnp.PyArray_SIZE(array) != 1 or kind > cnp.NPY_CDOUBLE or kind == cnp.NPY_LONGDOUBLE:
        return None
    return cnp.PyArray_GETITEM(array, cnp.PyArray_BYTES(array))


cpdef bint falls(cnp.ndarray array, tuple shape) except -1:
    cdef int nd, lead, i
    cdef cnp.npy_intp least = 0, step
    refuse_none(array)
    nd = cnp.PyArray_NDIM(array)
    lead = len(shape) - nd
    for i in range(nd - 1, -1, -1):
        step = cnp.PyArray_STRIDE(array, i)
        if step == 0 or cnp.PyArray_DIM(array, i) == 1 and <Py_ssize_t>shape[lead + i] != 1:
            continue
        if step <= least:
            return False
        least = step
    return True


cpdef spans(cnp.ndarray array, tuple dims):
    cdef Py_ssize_t n = len(dims), first, i
    cdef cnp.npy_intp outer = 1, within = 1, inner = 1
    refuse_none(array)
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
