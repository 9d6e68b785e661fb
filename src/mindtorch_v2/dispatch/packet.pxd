from ..core cimport modes, overrides
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator
from . cimport bind
from . cimport dispatcher
from .quick_call cimport QuickCall

cdef class Packet(QuickCall):
    cdef public str name
    cdef public list into_several
    cdef public bint takes1, takes2
    cdef public Operator first
    cdef public tuple rest1, rest2
    cpdef ask(self, tuple args, kwargs)

cdef class Method(Packet):
    pass
