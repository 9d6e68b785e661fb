from ...core.dtype cimport DType
from ...core.geometry cimport drop_dim
from ...core.tensor cimport Tensor, is_row_major, ndim_of, offset_of, shape_of, strides_of, window_of
from ...dispatch cimport dispatcher
from ...opdef.spec cimport Spec

cdef dict NUMBERS

cpdef Spec reduced(Tensor self, dim, bint keepdim, DType dtype)
cpdef sum_type(Tensor self, dtype)
cpdef Tensor accumulator(Tensor out, Tensor self, dim, bint keepdim)
cdef _shown(Tensor out, tuple shape, tuple strides)
cpdef prefill(Tensor shown, value)
cpdef in_type(Tensor self, DType dtype)
