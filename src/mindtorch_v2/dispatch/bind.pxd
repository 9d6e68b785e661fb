cimport cython

from ..core cimport modes, strided
from ..core.dtype cimport DType
from ..core.tensor cimport Tensor, new_tensor
from ..opdef.operator cimport Operator

cdef int BOOL, INT, INTS, OPTIONAL_TENSORS, SCALAR, TENSOR

@cython.locals(n=int, i=int, kind=int, changed=list)
cpdef bind(Operator op, tuple args, kwargs, bint numbers)
cdef _with_names(Operator op, tuple args, kwargs, bint numbers)
cdef bint are_ints(tuple values)
cdef int position_of(Operator op, name) except -2
@cython.locals(i=int)
cdef tuple _gather(Operator op, tuple args)
cdef dict _ALIASES, _PYTHON_TYPES
@cython.locals(kind=int)
cpdef convert(Operator op, int i, value, bint numbers)
cdef bint _is_number(value) except -1
@cython.locals(dtype=DType, tensor=Tensor)
cpdef Tensor wrap_number(value)
