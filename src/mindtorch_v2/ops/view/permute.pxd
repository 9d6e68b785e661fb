cimport cython

from ...core.geometry cimport wrap_dim
from ...core.tensor cimport Tensor, ndim_of, shape_of, strides_of
from ...dispatch cimport dispatcher
from .view cimport strided

@cython.locals(order=list)
cpdef tuple swapped(tuple values, Py_ssize_t i, Py_ssize_t j)
cpdef int transposed_dim(Tensor self) except -1
