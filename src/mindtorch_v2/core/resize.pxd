cimport cython

from . cimport strided
from .fields cimport set_array
from .storage cimport Storage, replace
from .tensor cimport Tensor, offset_of, shape_of, strides_of, window_of

@cython.locals(storage=Storage)
cpdef resize(Tensor tensor, tuple size, bint channels_last=*)
@cython.locals(storage=Storage)
cpdef give_memory(Tensor tensor, tuple size)
@cython.locals(storage=Storage)
cpdef grow(Tensor tensor, Py_ssize_t count)
