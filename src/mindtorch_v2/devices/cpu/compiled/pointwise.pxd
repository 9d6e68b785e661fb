# Copies for other kernels: arrays of one type in any order of memory.
cimport numpy as cnp

cdef int transcribe(cnp.ndarray out, cnp.ndarray a) except -1
