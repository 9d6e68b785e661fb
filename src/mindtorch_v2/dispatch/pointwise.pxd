cimport cython

from ..core cimport strided
from ..core.tensor cimport Tensor, new_tensor
from ..opdef.operator cimport Operator

@cython.locals(same=bint, mixed=bint)
cpdef run(Operator op, tuple args)
@cython.locals(i=int)
cdef bint is_plain(Operator op, tuple args)
cdef bint is_dense(Operator op, tuple args, bint same)
cdef run_dense(Operator op, tuple args, dtype)
cdef common_type(Operator op, tuple args)
cdef int rank(Tensor tensor)
cdef dict promoted
cdef tuple cast(Operator op, tuple args)
cpdef list unwrap(tuple args)
