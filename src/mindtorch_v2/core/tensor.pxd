cimport cython
from libc.stdint cimport int64_t

from . cimport modes
from . cimport operator_slots
from . cimport strided
from .dtype cimport DType
from .storage cimport Storage, Version, hold

cdef int64_t _last_identity
cdef object NOTHING

@cython.freelist(64)
cdef class Tensor:
    cdef dict __dict__
    cdef object __weakref__
    # what compiled code trusts is read-only to Python, which writes it through core/fields.py
    cdef readonly object _mt_array
    cdef readonly Storage _mt_storage
    cdef readonly DType dtype
    cdef readonly Tensor _mt_base
    cdef readonly object grad_fn
    cdef readonly int output_nr
    cdef public Version _mt_version
    cdef public bint _mt_requires
    cdef public object _mt_grad
    cdef public object _mt_accumulator
    cdef public object _mt_hooks
    cdef public bint _mt_is_number
    cdef public bint _mt_inference
    cdef public bint _mt_retains
    cdef public int _mt_view_kind
    cdef public int64_t _mt_view_version
    cdef public int64_t _mt_identity
    cdef public object _mt_kind
    cdef public object _mt_tangents
    cdef public object _mt_asked

cdef bint is_asked(Tensor tensor) except -1
cdef bint _is_asked(Tensor tensor) except -1
@cython.locals(storage=Storage)
cpdef Tensor window_of(Tensor tensor, tuple shape, tuple strides, Py_ssize_t offset)
cpdef place_of(Tensor tensor)
cpdef tuple shape_of(Tensor tensor)
cpdef bint same_shape(Tensor tensor, Tensor other)
cpdef int ndim_of(Tensor tensor)
cpdef Py_ssize_t numel_of(Tensor tensor)
cpdef bint is_in_order(Tensor tensor)
cpdef tuple strides_of(Tensor tensor)
cpdef int64_t offset_of(Tensor tensor)
cpdef Tensor alias_of(Tensor tensor)
cpdef bint is_row_major(Tensor tensor)
cpdef Tensor in_rows(Tensor tensor, tuple shape)
@cython.locals(view=Tensor)
cpdef Tensor share_storage(Tensor tensor, array)
cpdef Tensor take_over(Tensor tensor, Tensor other)
cpdef count_write(Tensor tensor)
@cython.locals(tensor=Tensor)
cpdef Tensor new_tensor(array, DType dtype)
@cython.locals(tensor=Tensor)
cpdef Tensor foreign_tensor(array, DType dtype)
cpdef int64_t identity_of(Tensor tensor) except -1
cpdef Tensor blank(shape, DType dtype)
@cython.locals(tensor=Tensor)
cdef Tensor allocate(shape, DType dtype)
