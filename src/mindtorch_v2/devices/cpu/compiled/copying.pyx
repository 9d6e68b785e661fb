# cython: language_level=3, wraparound=False
"""Copies that need no cast by NumPy: whole arrays of one type, one row again and again, one number to all places."""
cimport numpy as cnp
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memmove, memset

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    int PyArray_CopyInto(cnp.ndarray into, cnp.ndarray source) except -1
    int PyArray_CHKFLAGS(cnp.ndarray arr, int flags) noexcept
    bint PyArray_ISNOTSWAPPED(cnp.ndarray arr) noexcept
    int NPY_ARRAY_WRITEABLE, NPY_ARRAY_ALIGNED

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1

cdef enum:
    LONG = 32_768  # elements from which a copy is shared out

cdef bint same_shape(cnp.ndarray a, cnp.ndarray b) noexcept:
    cdef int nd = cnp.PyArray_NDIM(a), i
    if nd != cnp.PyArray_NDIM(b):
        return False
    for i in range(nd):
        if cnp.PyArray_DIM(a, i) != cnp.PyArray_DIM(b, i):
            return False
    return True

cdef bint is_row_of(cnp.ndarray row, cnp.ndarray a) noexcept:
    """Whether one row goes to all rows of a matrix, as a bias does: it is a vector, or a matrix shows it repeatedly."""
    if cnp.PyArray_NDIM(a) != 2:
        return False
    if cnp.PyArray_NDIM(row) == 1:
        return cnp.PyArray_DIM(row, 0) == cnp.PyArray_DIM(a, 1) and cnp.PyArray_STRIDE(row, 0) == cnp.PyArray_ITEMSIZE(a)
    return same_shape(row, a) and cnp.PyArray_STRIDE(row, 0) == 0 \
        and cnp.PyArray_STRIDE(row, 1) == cnp.PyArray_ITEMSIZE(a)

cdef bint lies_in(cnp.ndarray row, cnp.ndarray a, Py_ssize_t size) noexcept:
    """Whether the ``size`` bytes of a row share memory with a contiguous array."""
    cdef char *first = <char *>cnp.PyArray_DATA(a)
    cdef char *of_row = <char *>cnp.PyArray_DATA(row)
    return of_row < first + cnp.PyArray_NBYTES(a) and first < of_row + size

cpdef bint copy_plain(into, source) except -1:
    """Copy a little that needs no rounding check: one type, or one number. False where it has to go another way."""
    cdef cnp.ndarray a = <cnp.ndarray?>into
    cdef cnp.ndarray b = <cnp.ndarray?>source
    cdef int to = cnp.PyArray_TYPE(a), of = cnp.PyArray_TYPE(b)
    cdef bint is_target = cnp.PyArray_IS_C_CONTIGUOUS(a) and PyArray_CHKFLAGS(a, NPY_ARRAY_WRITEABLE)
    cdef Py_ssize_t i, size
    if not (PyArray_ISNOTSWAPPED(a) and PyArray_ISNOTSWAPPED(b)):
        return False
    if to == of:
        if cnp.PyArray_SIZE(a) > LONG:
            return False  # the walk of pointwise.copy shares it out among threads
        if is_target and cnp.PyArray_IS_C_CONTIGUOUS(b) and same_shape(a, b):
            memmove(cnp.PyArray_DATA(a), cnp.PyArray_DATA(b), cnp.PyArray_NBYTES(a))
            return True
        if is_target and is_row_of(b, a):
            size = cnp.PyArray_DIM(a, 1) * cnp.PyArray_ITEMSIZE(a)
            if not lies_in(b, a, size):
                for i in range(cnp.PyArray_DIM(a, 0)):
                    memcpy(<char *>cnp.PyArray_DATA(a) + i * size, cnp.PyArray_DATA(b), size)
                return True
        PyArray_CopyInto(a, b)
        return True
    return is_target and copy_number(a, b, to, of)

cdef bint copy_number(cnp.ndarray a, cnp.ndarray b, int to, int of) noexcept:
    """Copy one number into another real type; False where there are several, or NumPy has to cast."""
    cdef double value
    if not (PyArray_CHKFLAGS(a, NPY_ARRAY_ALIGNED) and PyArray_CHKFLAGS(b, NPY_ARRAY_ALIGNED)):
        return False
    if cnp.PyArray_SIZE(a) != 1 or cnp.PyArray_SIZE(b) != 1:
        return False
    if of == cnp.NPY_DOUBLE:
        value = (<double *>cnp.PyArray_DATA(b))[0]
    elif of == cnp.NPY_INT64:
        if to != cnp.NPY_FLOAT and to != cnp.NPY_DOUBLE:
            return False
        value = <double>(<int64_t *>cnp.PyArray_DATA(b))[0]
    elif of == cnp.NPY_FLOAT:
        value = (<float *>cnp.PyArray_DATA(b))[0]
    else:
        return False
    if to == cnp.NPY_FLOAT:
        (<float *>cnp.PyArray_DATA(a))[0] = <float>value
    elif to == cnp.NPY_DOUBLE:
        (<double *>cnp.PyArray_DATA(a))[0] = value
    else:
        return False
    return True

cpdef bint store_plain(into, list row) except -1:
    """Write a list of Python's own floats into floats, or of its ints within 64 bits into int64. False for others."""
    cdef cnp.ndarray a = <cnp.ndarray?>into
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t i, size = cnp.PyArray_SIZE(a)
    cdef int overflow = 0
    if size != len(row) or not (cnp.PyArray_IS_C_CONTIGUOUS(a) and PyArray_ISNOTSWAPPED(a)
                                and PyArray_CHKFLAGS(a, NPY_ARRAY_WRITEABLE) and PyArray_CHKFLAGS(a, NPY_ARRAY_ALIGNED)):
        return False
    if kind != cnp.NPY_FLOAT and kind != cnp.NPY_DOUBLE and kind != cnp.NPY_INT64:
        return False
    for i in range(size):
        value = row[i]
        if type(value) is not (int if kind == cnp.NPY_INT64 else float):
            return False
        if kind == cnp.NPY_FLOAT:
            (<float *>cnp.PyArray_DATA(a))[i] = <float><double>value
        elif kind == cnp.NPY_DOUBLE:
            (<double *>cnp.PyArray_DATA(a))[i] = value
        else:
            (<int64_t *>cnp.PyArray_DATA(a))[i] = PyLong_AsLongLongAndOverflow(value, &overflow)
            if overflow:
                return False
    return True

cpdef bint fill_plain(into, value) except -1:
    """Write one number everywhere, without gaps: zero into any type, into a few floats others. False for the rest."""
    cdef cnp.ndarray a = <cnp.ndarray?>into
    cdef int kind = cnp.PyArray_TYPE(a)
    cdef Py_ssize_t i, size = cnp.PyArray_SIZE(a)
    cdef double number
    if not (cnp.PyArray_IS_C_CONTIGUOUS(a) and PyArray_ISNOTSWAPPED(a) and kind != cnp.NPY_OBJECT
            and PyArray_CHKFLAGS(a, NPY_ARRAY_WRITEABLE) and PyArray_CHKFLAGS(a, NPY_ARRAY_ALIGNED)):
        return False
    if type(value) is int and value == 0:
        memset(cnp.PyArray_DATA(a), 0, cnp.PyArray_NBYTES(a))
        return True
    if type(value) is not float and type(value) is not int or size > LONG:
        return False
    if kind == cnp.NPY_FLOAT:
        number = value
        for i in range(size):
            (<float *>cnp.PyArray_DATA(a))[i] = <float>number
    elif kind == cnp.NPY_DOUBLE:
        number = value
        for i in range(size):
            (<double *>cnp.PyArray_DATA(a))[i] = number
    else:
        return False
    return True
