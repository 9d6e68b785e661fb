cimport cython

from . cimport strided
from .storage cimport Storage
from .tensor cimport Tensor, offset_of

@cython.locals(storage=Storage)
cpdef grow(Tensor tensor, Py_ssize_t count)
