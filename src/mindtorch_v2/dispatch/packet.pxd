from ..core cimport modes, overrides
from ..core.operator_slots cimport Callable
from ..core.tensor cimport Tensor
from ..opdef.operator cimport Operator
from . cimport bind
from . cimport dispatcher

cdef class Packet(Callable):
    cdef public str name
    cdef public list ops, into_several
    cdef public bint takes1, takes2
    cdef public Operator first
    cdef public tuple rest1, rest2
    cpdef ask(self, tuple args, kwargs)

cdef class Method(Packet):
    pass
