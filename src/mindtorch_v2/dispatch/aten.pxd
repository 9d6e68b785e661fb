cdef class Aten:
    cdef dict __dict__
