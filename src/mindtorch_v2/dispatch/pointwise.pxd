cimport cython

from ..core cimport strided
from ..core cimport dtype as dtypes
from ..core.dtype cimport DType
from ..core.geometry cimport broadcast_shapes
from ..core.tensor cimport Tensor, new_tensor
from ..devices.cpu.compiled cimport copying, numpy_loops
from ..devices.kernel cimport arrays_of
from ..opdef.operator cimport Operator
from . cimport dispatcher, number_cast

cdef int BOOL, CHECKS_ALL, FLOAT, FLOATING, HALF_BYTES

@cython.locals(same=bint, mixed=bint, clear=bint, k=int, at=int)
cpdef run(Operator op, tuple args)
@cython.locals(k=int, at=int)
cdef bint are_floats(Operator op, tuple args)
cdef run_directly(Operator op, tuple args, DType result, bint same)
@cython.locals(k=int, at=int)
cdef bint can_loop(Operator op, tuple args, DType dtype)
@cython.locals(k=int, at=int)
cdef room_for(Operator op, tuple args, DType result, bint same)
cdef exact_number(Operator op, tuple args, DType dtype)
@cython.locals(n=int)
cdef run_loop(Operator op, tuple args, DType result, bint same, number)
@cython.locals(key=int)
cpdef DType common_type(Operator op, tuple args)
cpdef check_result(Operator op, DType common, Tensor into)
cdef int rank(Tensor tensor)
@cython.locals(i=int)
cdef bint given_numbers(Operator op, tuple args)
cdef dict promoted
@cython.locals(changed=list, k=int, i=int)
cpdef tuple cast(Operator op, tuple args, DType common)
