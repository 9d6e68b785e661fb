cimport numpy as cnp

from ...array_facts cimport is_compact, is_whole, size_of, spans
from ...half_precision cimport widened
from .sums cimport has_loop, reduced_by_loop

cdef bint _is_compiled(cnp.ndarray source) except -1
cdef _extreme(loop, ufunc, cnp.ndarray out, cnp.ndarray source, tuple dims)
cpdef amax(cnp.ndarray out, cnp.ndarray source, tuple dims)
cpdef amin(cnp.ndarray out, cnp.ndarray source, tuple dims)
