cimport cython

from . cimport strided
from .storage cimport Storage
from .tensor cimport Tensor

@cython.locals(storage=Storage)
cpdef grow(Tensor tensor, Py_ssize_t count)
