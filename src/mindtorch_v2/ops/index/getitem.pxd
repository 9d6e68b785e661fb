from ...core.tensor cimport Tensor, blank, ndim_of, shape_of
from ...dispatch cimport dispatcher

cdef class Reading:
    cdef Tensor shown
    cdef Py_ssize_t skipped, dim, real, covered
    cdef list positions

    cdef number(self, index)
    cdef range(self, key)
    cdef new_dimension(self)
    cdef flag(self, value)
    cdef place(self, Tensor tensor, Py_ssize_t dim, Py_ssize_t dims)
    cdef tensor(self, Tensor given)
    cdef part(self, part)

cdef Reading read(Tensor self, tuple parts)
cdef tuple bounds(key)
cdef Tensor _select(Tensor self, Py_ssize_t dim, index, Py_ssize_t real)
