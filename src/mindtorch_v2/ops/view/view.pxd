from ...core cimport geometry
from ...core cimport strided as memory
from ...core.tensor cimport Tensor, offset_of, shape_of, share_storage, strides_of, window_of
from ...dispatch cimport dispatcher
from ...opdef.operator cimport Operator

cpdef refolded(Tensor self, tuple shape)
cpdef viewed(Tensor self, size)
cpdef strided(Tensor self, shape, strides, offset=*)
