cimport cython
from libc.stdint cimport int64_t

from ..core cimport describe, modes, overrides
from ..core.tensor cimport Tensor, share_storage
from ..core.storage cimport Version
from ..opdef.operator cimport Operator
from ..record cimport rows

@cython.locals(row=int64_t, wanted=int, overriding=list)
cpdef ask(Operator op, tuple args)
@cython.locals(i=int)
cdef list collect(Operator op, tuple args)
cdef list _place(list overriding, value)
@cython.locals(below=bint, inside=bint, autocast=bint)
cdef outside(Operator op, list overriding, tuple args)
cpdef tuple given(Operator op, tuple args)
cpdef kept(Tensor tensor)
cpdef bint is_opaque(Tensor tensor) except -1
cpdef bint takes_part(Tensor tensor) except -1
