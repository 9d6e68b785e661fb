from .rows cimport Log

cdef bint has_room(Log *log) except -1
cdef bint has_memory_room(Log *log) except -1
cdef bint has_tensor_room(Log *log) noexcept
