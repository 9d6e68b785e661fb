from ..core cimport modes
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator

cpdef tuple before_writing(Operator op, tuple args, bint needs)
cpdef rebase(Tensor written, node)
cpdef mark_view(Tensor source, result)
cpdef mark_inference(result)
