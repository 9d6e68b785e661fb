cpdef bint copy_plain(into, source) except -1
