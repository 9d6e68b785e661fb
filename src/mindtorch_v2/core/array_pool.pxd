cimport numpy as cnp

cdef object take(int nd, cnp.npy_intp *dims, cnp.dtype dtype)
cdef void keep(object array) noexcept
