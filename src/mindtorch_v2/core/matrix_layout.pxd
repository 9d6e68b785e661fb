cimport cython

from . cimport strided
from .tensor cimport Tensor

@cython.locals(item=Py_ssize_t)
cpdef bint lies(Tensor tensor, int fast, int slow) except -1
@cython.locals(item=Py_ssize_t)
cpdef bint takes(Tensor tensor, int fast, int slow) except -1
@cython.locals(item=Py_ssize_t)
cpdef bint is_column_major(Tensor tensor) except -1
