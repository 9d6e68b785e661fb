cimport cython
from libc.stdint cimport int64_t

from ..core cimport strided
from ..core.dtype cimport DType
from ..core.tensor cimport Tensor, identity_of, new_tensor
from ..devices.cpu.compiled cimport copying
from ..record cimport rows
from . cimport dispatcher

cdef int COPY, EMPTY_STRIDED, INPUTS, TENSORS, TO, TO_COPY
cdef CastInputs NOT_DESCRIBED
cdef dict known

cdef class CastInputs:
    cdef int to, to_copy, empty_strided, copy

@cython.locals(wanted=int)
cdef number_in(Tensor number, DType dtype)
@cython.locals(to=int64_t, to_copy=int64_t, empty=int64_t, copy=int64_t, result=Tensor)
cdef shown(Tensor number, array, DType dtype, int wanted)
cdef note(int64_t row, int slot, Tensor tensor)
@cython.locals(key=int)
cdef CastInputs inputs_of(Tensor number, DType dtype)
