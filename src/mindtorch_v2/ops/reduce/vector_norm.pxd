from ...core.tensor cimport Tensor, blank, ndim_of, numel_of, shape_of
from .reduction cimport accumulator, in_type, reduced

cdef bint _is_size(Tensor self, ord, tuple dims) except -1
