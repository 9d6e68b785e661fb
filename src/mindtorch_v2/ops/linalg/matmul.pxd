cimport cython

from ...core cimport matrix_layout
from ...core.tensor cimport Tensor, blank, numel_of, shape_of
from ...dispatch cimport dispatcher

cpdef gemm(Tensor out, Tensor mat1, Tensor mat2, beta=*, alpha=*)
cpdef resolved(Tensor t)
cdef _operand(Tensor t, int fast, int slow)
@cython.locals(shape=tuple, given=tuple)
cpdef addmm_into(Tensor out, Tensor self, Tensor mat1, Tensor mat2, beta, alpha)
cpdef mm_into(Tensor out, Tensor self, Tensor mat2)
cpdef bint multiplies(Tensor mat1, Tensor mat2)
cpdef grad_of_first(Tensor grad, bint is_column_major, Tensor mat2)
cpdef grad_of_second(Tensor grad, Tensor mat1, bint is_column_major)
cpdef transpose(Tensor t)
cpdef multiply(Tensor a, Tensor b)
