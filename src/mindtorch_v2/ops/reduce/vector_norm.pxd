from ...core cimport strided
from ...core.tensor cimport Tensor, blank, shape_of

cdef _norm_into(Tensor out, Tensor self, ord, dim, bint keepdim, dtype)
