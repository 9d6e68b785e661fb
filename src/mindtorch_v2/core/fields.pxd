from .dtype cimport DType
from .storage cimport Storage
from .tensor cimport Tensor

cpdef set_array(Tensor tensor, array)
cpdef set_data(Tensor tensor, Storage storage, array, DType dtype)
cpdef node_of(Tensor tensor)
cpdef set_history(Tensor tensor, grad_fn, int output_nr, bint requires_grad)
cpdef show_as(Tensor tensor, Tensor other)
