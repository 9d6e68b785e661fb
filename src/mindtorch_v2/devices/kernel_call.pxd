cdef class KernelCall:
    cdef void *entry
    cdef readonly object cpu
    cdef bint is_silent  # whether NumPy is not to warn while it runs
    cpdef on_arrays(self, list arrays)
