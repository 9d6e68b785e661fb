from ..core cimport modes
from ..core.tensor cimport Tensor
from ..dispatch cimport bind, dispatcher
from ..dispatch.packet cimport Method, Packet
cimport cython

cdef class Factory(Packet):
    cdef public bint like, sizes, plain_like
    cdef public tuple tail, on_cpu
    cdef public list pinned
    cdef call_with_options(self, tuple args, dict kwargs)
    @cython.locals(below=bint, result=Tensor)
    cpdef under(self, tuple args, kwargs)

cdef bint are_ints(tuple size)
cdef tuple size_of(tuple args)
