cimport cython
from libc.stdint cimport int64_t

from . cimport strided
from .tensor cimport Tensor

cpdef bint is_dense(Tensor tensor) except -1
@cython.locals(dim=int)
cpdef bint is_expanded(Tensor tensor) except -1
@cython.locals(start=int64_t, other_start=int64_t, end=int64_t, other_end=int64_t)
cpdef int status(Tensor a, Tensor b) except -1
