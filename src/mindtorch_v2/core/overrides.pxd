cimport cython

from . cimport modes
from . cimport operator_slots
from .tensor cimport Tensor

cdef bint overrides_function(value) except -1
@cython.locals(overriding=list)
cpdef list collect(args, bint plain)
cdef _place(list overriding, value)
@cython.locals(at=int)
cpdef place(list overriding, value)
cpdef ask(func, tuple args, kwargs)
cpdef put(func, list overriding, tuple args, kwargs)
cpdef settle(answer, func, tuple args, kwargs)
cpdef hand_over(func, relevant, tuple args, kwargs)
cdef bint _is_foreign(tuple args) except -1
cpdef ask_foreign(func, tuple args, kwargs)
cpdef ask_member(func, tuple args)

cdef class Guarded:
    cdef dict __dict__
    cdef public object function
    cdef public bint is_builtin
    cdef ask(self, tuple args, dict kwargs)

cdef class Property:
    cdef public object fget, fset, fdel
