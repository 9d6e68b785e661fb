from ...core.dtype cimport DType
from ...core.tensor cimport Tensor, ndim_of, shape_of, strides_of
from ...dispatch cimport dispatcher

cdef dict NUMBERS

cpdef reduced(Tensor self, dim, bint keepdim, dtype)
cpdef sum_type(Tensor self, dtype)
cpdef accumulator(Tensor out, Tensor self, dim, bint keepdim)
cdef _shown(out, tuple shape, tuple strides)
cpdef in_type(Tensor self, dtype)
