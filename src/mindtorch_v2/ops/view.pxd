from ..core cimport geometry
from ..core.tensor cimport Tensor, offset_of, shape_of, strides_of, window_of
from ..dispatch cimport road
from ..opdef.operator cimport Operator

cpdef strided(Tensor self, shape, strides, offset=*)
