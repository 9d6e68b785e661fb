cimport cython

from ..core cimport strided
from ..core.operator_slots cimport Callable
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator
from . cimport bind, dispatcher

cdef int BOOL, FLOAT, INTS, SCALAR, TENSOR

cdef class Inner(Callable):
    cdef public str name
    cdef public list ops
    cdef public Operator only, only_new
    cdef dict chosen
    cdef Operator choose(self, tuple args, dict kwargs)

@cython.locals(n=int, i=int, kind=int, changed=list)
cdef tuple fill(Operator op, tuple args, dict kwargs)
