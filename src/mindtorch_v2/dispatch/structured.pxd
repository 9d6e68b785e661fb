cimport cython

from ..core cimport strided
from ..core.dtype cimport DType
from ..core.tensor cimport Tensor, blank, shape_of
from ..opdef.operator cimport Operator
from ..opdef.spec cimport Spec

cpdef compute(Operator op, tuple args)
cdef bint agrees(Tensor into, Spec spec) except -1
cdef bint in_one_order(tuple operands)
cpdef Tensor result_for(tuple operands, DType dtype, Tensor out=*)
@cython.locals(spec=Spec)
cdef several(Operator op, tuple args, tuple given, tuple specs)
