cpdef object hush()
cpdef speak(before)

cdef class Silent:
    cdef dict __dict__
    cdef readonly object function
