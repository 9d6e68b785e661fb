# The way from an array to its memory: type, size and contiguity are checked, which costs a few nanoseconds.
cimport numpy as cnp

cdef extern from "numpy/arrayobject.h":
    bint PyArray_IS_C_CONTIGUOUS(cnp.ndarray a) nogil


cdef inline bint is_real(int kind) noexcept:
    return kind == cnp.NPY_FLOAT or kind == cnp.NPY_DOUBLE


cdef inline void* data(cnp.ndarray a, int kind, Py_ssize_t size) except? NULL:
    """The memory of an array that has to be of this kind, this size and C-contiguous."""
    if cnp.PyArray_TYPE(a) != kind or cnp.PyArray_SIZE(a) != size or not PyArray_IS_C_CONTIGUOUS(a):
        raise ValueError(f"kernel wants {size} contiguous elements of one dtype, got {a.dtype} {(<object>a).shape}")
    return cnp.PyArray_DATA(a)


cdef inline void* data_or_null(object a, int kind, Py_ssize_t size) except? NULL:
    """The same for an array that may be None."""
    if a is None:
        return NULL
    return data(<cnp.ndarray?>a, kind, size)
