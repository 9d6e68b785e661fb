from ..core cimport strided
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator

cpdef tuple prepare(Operator op, tuple args)
