cimport cython

from ..core cimport strided
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator
from . cimport bind, dispatcher
from .quick_call cimport QuickCall

cdef int BOOL, FLOAT, INTS, SCALAR, TENSOR

cdef class Inner(QuickCall):
    cdef public str name
    cdef public Operator only, only_new
    cdef dict chosen
    cdef Operator choose(self, tuple args, dict kwargs)

@cython.locals(n=int, i=int, kind=int, changed=list)
cdef tuple fill(Operator op, tuple args, dict kwargs)
