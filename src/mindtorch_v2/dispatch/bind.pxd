from ..core cimport strided
from ..core.tensor cimport Tensor, new_tensor
from ..opdef.operator cimport Operator

cpdef bind(Operator op, args, kwargs, bint numbers)
cpdef convert(Operator op, int i, value, bint numbers)
cpdef Tensor wrap_number(value)
