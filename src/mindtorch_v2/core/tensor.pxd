cimport cython
from libc.stdint cimport int64_t

from . cimport modes, signs
from . cimport strided
from .dtype cimport DType
from .storage cimport Storage, Version, hold

cdef int64_t _last_identity

@cython.freelist(64)
cdef class Tensor:
    cdef dict __dict__
    cdef object __weakref__
    cdef public object _mt_array
    cdef public Storage _mt_storage
    cdef public DType dtype
    cdef public Version _mt_version
    cdef public Tensor _mt_base
    cdef public bint _mt_requires
    cdef public object grad_fn
    cdef public int output_nr
    cdef public object _mt_grad
    cdef public object _mt_accumulator
    cdef public object _mt_hooks
    cdef public bint _mt_is_number
    cdef public bint _mt_inference
    cdef public bint _mt_retains
    cdef public int _mt_view_kind
    cdef public int64_t _mt_view_version
    cdef public int64_t _mt_identity

cdef bint is_asked(Tensor tensor) except -1
cdef bint _is_asked(Tensor tensor) except -1
cpdef Tensor window_of(Tensor tensor, tuple shape, tuple strides, Py_ssize_t offset)
cpdef tuple shape_of(Tensor tensor)
cpdef tuple strides_of(Tensor tensor)
cpdef int64_t offset_of(Tensor tensor)
@cython.locals(made=Tensor)
cpdef Tensor share_storage(Tensor tensor, array)
cpdef Tensor take_over(Tensor tensor, Tensor other)
cpdef count_write(Tensor tensor)
@cython.locals(made=Tensor)
cpdef Tensor new_tensor(array, DType dtype)
@cython.locals(made=Tensor)
cpdef Tensor foreign_tensor(array, DType dtype)
cpdef int64_t identity_of(Tensor tensor) except -1
cpdef Tensor blank(shape, DType dtype)
