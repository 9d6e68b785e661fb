cimport cython
from libc.stdint cimport int64_t

from ..core cimport modes, strided
from ..core.tensor cimport Tensor
from ..record cimport rows
from .node cimport Accumulate, Node, number_at, resolve

cdef class GraphTask:
    cdef public bint keep_graph, create_graph
    cdef public dict missing, buffers, captured
    cdef public object needed, captures, watch
    cdef public list ready, callbacks
    cdef public int64_t pushed
    cpdef push(self, Node node)
    @cython.locals(before=Tensor)
    cpdef deliver(self, Node node, int number, grad)

cdef bint owns_memory(Tensor t)
@cython.locals(wanted=int, sequence=int64_t, row=int64_t)
cdef evaluate(GraphTask task, Node node)
@cython.locals(changed=object)
cdef step(GraphTask task, Node node, int wanted)
@cython.locals(changed=object)
cdef go_through(GraphTask task, Node node, list grads, int wanted)
@cython.locals(sequence=int64_t, row=int64_t)
cdef list applied(Node node, list grads, int wanted, object watch)
cdef called(Node node, list grads)
@cython.locals(following=Node, grad=Tensor)
cdef fit(Node node, list found)
cdef bint _reducible(tuple have, tuple want)
@cython.locals(following=Node)
cdef hand_on(GraphTask task, Node node, list found)
cdef call_tensor_hooks(Node node, list grads)

cdef class AccumulateGrad(Accumulate):
    pass

cdef bint _same_layout(Tensor grad, Tensor variable)
