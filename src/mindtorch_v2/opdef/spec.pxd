cimport cython

from ..core.dtype cimport DType

@cython.final
@cython.freelist(16)
cdef class Spec:
    cdef readonly object shape, strides
    cdef readonly DType dtype
    cdef readonly bint exact
