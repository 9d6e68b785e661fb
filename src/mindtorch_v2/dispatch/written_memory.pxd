cimport cython

from ..core cimport memory_overlap
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator

@cython.locals(k=int, at=int)
cpdef check(Operator op, tuple args)
cdef check_input(Operator op, Tensor into, Tensor value)
@cython.locals(overlap=int)
cpdef refuse(Tensor into, Tensor value, bint wholly)
