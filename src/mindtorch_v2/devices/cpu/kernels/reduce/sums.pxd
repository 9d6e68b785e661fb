cimport numpy as cnp

from ...array_facts cimport is_half, is_whole, is_wide, size_of, spans

cpdef sum(cnp.ndarray out, cnp.ndarray source, tuple dims)
cpdef prod(cnp.ndarray out, cnp.ndarray source, tuple dims)
cdef _sum_or_product(kernel, ufunc, bint in_int64, cnp.ndarray out, cnp.ndarray source, tuple dims)
cpdef bint has_loop(cnp.ndarray source) except -1
cpdef bint reduced_by_loop(ufunc, cnp.ndarray out, cnp.ndarray source, tuple dims) except -1
