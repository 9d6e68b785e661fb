cimport cython

from ..core cimport matrix_layout, modes
from ..core.fields cimport set_history
from ..core.tensor cimport Tensor, offset_of, place_of, shape_of, share_storage
from ..opdef.derivative cimport Derivative, Formula
from . cimport node as nodes
from .node cimport Node

cdef int COLUMN_MAJOR, COMPLEX, DEVICE, DTYPE, FACT, GEOMETRY, GRAD, GRADS, NEEDS, RESULT0

cdef class OpNode(Node):
    cdef public Derivative derivative
    cdef public list args, versions
    cdef public object spans, results
    cdef public dict facts, unpacked
    cdef public bint packed
    @cython.locals(inside=bint, device=int)
    cdef apply_inside(self, list grads, list edges)
    cdef derived(self, list grads, list edges)
    @cython.locals(derivative=Derivative, results=list, at=int)
    cdef list gradients(self, list grads, list edges)
    @cython.locals(sources=tuple, n=int)
    cdef work_out(self, Formula formula, list grads, list edges)
    cdef value(self, int source, list grads, list edges)
    cdef for_formula(self, value, list grads)

@cython.locals(node=OpNode)
cpdef OpNode op_node(Derivative derivative)
@cython.locals(i=int)
cpdef save(OpNode node, tuple args, tuple wanted)
cpdef fact(Tensor tensor, int source)
cdef save_fact(OpNode node, tuple args, int source)
cpdef save_result(OpNode node, int at, Tensor result)
cdef saved(OpNode node, int i)
@cython.locals(alias=Tensor, again=Tensor)
cdef saved_result(OpNode node, int at)
@cython.locals(grad=Tensor)
cdef bint _is_complex(list grads)
cpdef conjugate(value)
cdef bint _holds_tensors(list args)
cdef bint _any_wanted(list nodes, int at, int span)
