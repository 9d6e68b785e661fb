from libc.stdint cimport int64_t

from . cimport rows

cdef class record_range:
    cdef public object name
    cdef public object args
    cdef public int64_t row

cdef class record_function(record_range):
    cdef dict __dict__
    cdef object __weakref__

cdef int given(args) except -2
