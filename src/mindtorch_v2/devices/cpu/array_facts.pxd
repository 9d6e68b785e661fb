cimport numpy as cnp

cpdef bint is_compact(cnp.ndarray array) except -1
cpdef Py_ssize_t size_of(cnp.ndarray array) except -1
cpdef bint is_wide(cnp.ndarray array) except -1
cpdef bint is_half(array) except -1
cpdef bint is_whole(cnp.ndarray array) except -1
cpdef bint are_between(cnp.ndarray array, Py_ssize_t low, Py_ssize_t high) except -1
cpdef bint falls(cnp.ndarray array, tuple shape) except -1
cpdef spans(cnp.ndarray array, tuple dims)
