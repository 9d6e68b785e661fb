from libc.stdint cimport int64_t

cdef int64_t open_row(int name, int scope, int64_t sequence, args, int wanted, int forward_thread) except -2
cpdef int described(args) except -1
