from libc.stdint cimport int64_t

from ..core cimport modes
from ..core.tensor cimport Tensor, shape_of
from ..record cimport rows

cdef class Node:
    cdef object __weakref__
    cdef public list next_nodes
    cdef public dict next_numbers
    cdef public tuple outputs
    cdef public int64_t sequence
    cdef public int thread, name_id, evaluate_name_id
    cdef public object pre_hooks, post_hooks, tensor_hooks, retained, _metadata
    cdef public bint released, wants_undefined, is_named
    cpdef apply(self, list grads, list edges)
    cpdef release(self)

cdef class Traces:
    cdef public object remember, pack, views
    cdef public bint detached

cdef Traces traces
cpdef number(Node node)
cpdef bint connect(Node node, Tensor tensor)
cpdef lead(Node node, following, int at)
cpdef resolve(following)
cpdef int number_at(Node node, int i)
cpdef adopt(Node node, Tensor tensor, int at)

cdef class Accumulate(Node):
    cdef public object leaf, post_accumulate

cpdef accumulator_of(Tensor tensor)
