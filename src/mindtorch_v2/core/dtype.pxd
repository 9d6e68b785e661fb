cdef class DType:
    cdef readonly str name, short
    cdef readonly int code, category
    cdef readonly object numpy
    cdef readonly Py_ssize_t itemsize
    cdef readonly bint rare
    cdef bint _signed
    cdef object __weakref__

cdef class Default:
    cdef public DType floating

cdef Default default
