from ..core.tensor cimport Tensor, blank
from ..opdef.operator cimport Operator
from ..opdef.spec cimport Spec

cpdef compute(Operator op, tuple args)
cdef several(Operator op, tuple args, tuple given, tuple specs)
