from libc.stdint cimport int64_t

from ..core cimport modes
from ..core.tensor cimport Tensor
from ..opdef.derivative cimport Derivative, Formula
from ..record cimport rows

cdef class Node:
    cdef dict __dict__
    cdef object __weakref__
    cdef public list next_nodes, next_numbers, outputs
    cdef public int64_t sequence
    cdef public int thread, name_id, evaluate_name_id
    cdef public object pre_hooks, post_hooks, tensor_hooks, retained, _metadata
    cdef public bint released, wants_undefined
    cpdef apply(self, grads)
    cpdef release(self)
    cpdef number(self)
    cpdef connect(self, Tensor tensor)
    cpdef adopt(self, Tensor tensor, int number)

cdef class Accumulate(Node):
    cdef public Tensor variable
    cdef public object post_accumulate

cdef class OpNode(Node):
    cdef public Derivative derivative
    cdef public list args, versions
    cdef public object spans, results
    cpdef save(self, tuple args, int n_params)
    cpdef save_result(self, int number, result)
    cdef saved(self, int i)
    cdef saved_result(self, int number)
    cdef list collect(self, tuple sources, grads)

cpdef accumulator_of(Tensor tensor)
