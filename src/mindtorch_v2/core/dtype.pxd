cdef class DType:
    cdef public str name, short
    cdef public int code, category
    cdef public object numpy
    cdef public Py_ssize_t itemsize
    cdef public bint is_signed
    cdef object __weakref__

cdef class Default:
    cdef public DType floating

cdef Default default
