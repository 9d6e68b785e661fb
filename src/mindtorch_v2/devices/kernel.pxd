cimport cython

from ..core cimport modes
from ..core.tensor cimport Tensor, new_tensor
from .cpu.compiled cimport copying, numpy_loops
from .cpu.errstate cimport hush, speak
from .kernel_call cimport KernelCall

cdef class Run(KernelCall):
    cdef readonly str name

cdef class Ask(Run):
    pass

cdef class Elementwise(Run):
    cdef object ufunc

cdef class Kernels:
    cdef dict __dict__

@cython.locals(number=int)
cpdef copy(Tensor into, Tensor source)
cpdef Tensor result_of(array, dtype)
cpdef list arrays_of(tuple args)
cdef array_of(value)
@cython.locals(number=int)
cdef int device_of(tuple args) except -2
@cython.locals(here=int)
cdef int same_device(int number, Tensor tensor) except -2
