cimport cython
from libc.stdint cimport int64_t

from ..record cimport rows
from . cimport array_pool, modes, strided

@cython.freelist(64)
@cython.final
@cython.no_gc
cdef class Storage:
    cdef readonly object owner
    cdef readonly int64_t nbytes
    cdef readonly int64_t address
    cdef readonly bint counted, seen, fixed
    cdef readonly int device
    cdef object __weakref__

@cython.locals(storage=Storage)
cpdef Storage hold(array, bint counted)
@cython.locals(storage=Storage)
cpdef Storage place(array, int64_t nbytes, int device)
cpdef replace(Storage storage, owner)
cpdef swap(Storage storage, Storage other)
cpdef fix(Storage storage)

@cython.freelist(64)
@cython.final
cdef class Version:
    cdef public int64_t count
