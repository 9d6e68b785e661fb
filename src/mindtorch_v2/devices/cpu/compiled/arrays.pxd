# The way from an array to its memory. Loops trust what passes here, so every array of a kernel does: its type, its
# size, its alignment, and that a result can be written. It costs a few nanoseconds.
cimport numpy as cnp

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISCARRAY(cnp.ndarray a) nogil  # C-contiguous, aligned, in this machine's byte order, writable
    bint PyArray_ISCARRAY_RO(cnp.ndarray a) nogil  # the same, but it may be read-only


cdef inline bint is_real(int kind) noexcept:
    return kind == cnp.NPY_FLOAT or kind == cnp.NPY_DOUBLE


cdef inline void* refused(cnp.ndarray a, Py_ssize_t size) except NULL:
    raise ValueError(f"kernel wants {size} contiguous elements of one dtype, writable where they are results; got "
                     f"{a.dtype} {(<object>a).shape}, strides {(<object>a).strides}, writable {a.flags.writeable}")


cdef inline void* data(cnp.ndarray a, int kind, Py_ssize_t size) except? NULL:
    """The memory of an array that is read: of this kind, this size and C-contiguous."""
    if cnp.PyArray_TYPE(a) != kind or cnp.PyArray_SIZE(a) != size or not PyArray_ISCARRAY_RO(a):
        return refused(a, size)
    return cnp.PyArray_DATA(a)


cdef inline void* into(cnp.ndarray a, int kind, Py_ssize_t size) except? NULL:
    """The memory of an array that is written."""
    if cnp.PyArray_TYPE(a) != kind or cnp.PyArray_SIZE(a) != size or not PyArray_ISCARRAY(a):
        return refused(a, size)
    return cnp.PyArray_DATA(a)


cdef inline void* data_or_null(object a, int kind, Py_ssize_t size) except? NULL:
    """The memory of an array that is read, if it is there."""
    if a is None:
        return NULL
    return data(<cnp.ndarray?>a, kind, size)


cdef inline void* into_or_null(object a, int kind, Py_ssize_t size) except? NULL:
    """The memory of an array that is written, if it is there."""
    if a is None:
        return NULL
    return into(<cnp.ndarray?>a, kind, size)


cdef inline Py_ssize_t elements(Py_ssize_t a, Py_ssize_t b, Py_ssize_t c) except -1:
    """The size of (a, b, c), which callers give as numbers."""
    if a < 0 or b < 0 or c < 0 or <double>a * b * c > 1e15:
        raise ValueError(f"kernel wants sizes of zero or more, as large as memory at most, got {(a, b, c)}")
    return a * b * c


cdef inline Py_ssize_t extent(cnp.ndarray a, int dim) except -1:
    """The size of a dimension that the array must have."""
    if dim >= cnp.PyArray_NDIM(a):
        raise ValueError(f"kernel wants an array of at least {dim + 1} dimensions, got {(<object>a).shape}")
    return cnp.PyArray_DIM(a, dim)


cdef enum:
    WORTH_SHARING = 32_768  # elements that one thread takes at a time


cdef inline Py_ssize_t share_of(Py_ssize_t elements_each) noexcept nogil:
    """How many rows or tiles of so many elements one thread takes at a time."""
    return 1 if elements_each >= WORTH_SHARING else WORTH_SHARING // (elements_each + 1)
