cimport cython
from libc.stdint cimport int64_t

from ..record cimport rows
from . cimport strided

@cython.freelist(64)
@cython.final
@cython.no_gc
cdef class Storage:
    cdef public object owner
    cdef public int64_t nbytes
    cdef public int64_t address
    cdef public bint counted, seen, fixed

@cython.locals(made=Storage)
cpdef Storage hold(array, bint counted)

@cython.freelist(64)
@cython.final
cdef class Version:
    cdef public int64_t count
