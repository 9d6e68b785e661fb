from ..core cimport modes
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator

cpdef tuple before_writing(Operator op, tuple args, bint needs)
cpdef rebase(Operator op, Tensor written, node)
cpdef refresh(Tensor view)
cpdef mark_view(Tensor source, result)
cdef mark_one(Tensor source, Tensor root, Tensor view)
cpdef mark_inference(result)
