cimport cython

from ...core cimport strided
from ...core.tensor cimport Tensor, blank, shape_of
from ...dispatch cimport dispatcher

@cython.locals(item=Py_ssize_t)
cpdef bint lies(array, int fast, int slow)
@cython.locals(rows=Py_ssize_t, cols=Py_ssize_t, item=Py_ssize_t, fast=int)
cpdef gemm(Tensor out, Tensor mat1, Tensor mat2, beta=*, alpha=*)
cdef _operand(Tensor t, int fast, int slow)
cpdef addmm_into(Tensor out, Tensor self, Tensor mat1, Tensor mat2, beta, alpha)
cpdef mm_into(Tensor out, Tensor self, Tensor mat2)
cpdef bint multiplies(Tensor mat1, Tensor mat2)
@cython.locals(item=Py_ssize_t)
cpdef bint is_column_major(Tensor t)
cpdef grad_of_first(Tensor grad, Tensor mat1, Tensor mat2)
cpdef grad_of_second(Tensor grad, Tensor mat1, Tensor mat2)
cpdef product(a, b, out)
cpdef transpose(Tensor t)
cpdef multiply(Tensor a, Tensor b)
