cimport cython
from libc.stdint cimport int64_t

from ..core cimport describe, memory_overlap, modes, strided
from ..core.dtype cimport DType
from ..core.tensor cimport Tensor
from ..record cimport rows
from .node cimport Accumulate, Node, number_at, resolve

cdef int INPUTS, TENSORS

@cython.freelist(64)
@cython.final
cdef class Arrivals:
    cdef public Py_ssize_t missing
    cdef public list grads

cdef class GraphTask:
    cdef public bint keep_graph, create_graph
    cdef public dict waiting, captured
    cdef public object needed, captures, watch, current
    cdef public list ready, callbacks
    cdef public int64_t pushed
    @cython.locals(waiting=dict, stack=list, node=Node, arrivals=Arrivals)
    cpdef count_dependencies(self, list roots)
    cpdef push(self, Node node)

@cython.locals(before=Tensor, grads=list)
cdef deliver(Node node, Arrivals arrivals, int number, grad)
cdef list no_grads(Node node)
cpdef run(GraphTask task, list roots, list grads)

cdef bint adds_its_own_way(Tensor t)
cdef bint owns_memory(Tensor t)
@cython.locals(wanted=int, sequence=int64_t, row=int64_t)
cdef evaluate(GraphTask task, Node node)
@cython.locals(arrivals=Arrivals, edges=list, grads=list)
cdef step(GraphTask task, Node node, int wanted)
@cython.locals(changed=object, grads=list)
cdef go_through(GraphTask task, Node node, Arrivals arrivals, list edges, int wanted)
@cython.locals(sequence=int64_t, row=int64_t)
cdef list applied(Node node, list grads, list edges, int wanted, object watch)
cdef called(Node node, list grads, list edges)
cdef bint has_any(list grads)
@cython.locals(following=Node, grad=Tensor, shape=tuple, dtype=DType, i=Py_ssize_t)
cdef fit(Node node, list edges, list results)
@cython.locals(i=Py_ssize_t)
cdef bint _reducible(tuple have, tuple want)
@cython.locals(following=Node, arrivals=Arrivals, i=Py_ssize_t)
cdef hand_on(GraphTask task, Node node, list edges, list results)
cdef call_tensor_hooks(Node node, list grads)

cdef class AccumulateGrad(Accumulate):
    pass

cdef bint _lies_as_wanted(Tensor grad, Tensor variable)
