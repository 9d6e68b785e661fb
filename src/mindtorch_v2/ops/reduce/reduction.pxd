from ...core.dtype cimport DType
from ...core.tensor cimport Tensor, ndim_of, offset_of, shape_of, strides_of, window_of
from ...dispatch cimport dispatcher

cdef dict NUMBERS

cpdef reduced(Tensor self, dim, bint keepdim, dtype)
cpdef sum_type(Tensor self, dtype)
cpdef accumulator(Tensor out, Tensor self, dim, bint keepdim)
cdef _shown(Tensor out, tuple shape, tuple strides)
cpdef prefill(Tensor shown, value)
cpdef in_type(Tensor self, dtype)
