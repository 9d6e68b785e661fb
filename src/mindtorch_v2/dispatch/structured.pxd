from ..core.tensor cimport Tensor, blank
from ..opdef.operator cimport Operator

cpdef compute(Operator op, tuple args)
cdef several(Operator op, tuple args, tuple given, tuple specs)
