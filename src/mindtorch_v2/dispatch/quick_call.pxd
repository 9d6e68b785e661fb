from ..core.operator_slots cimport Callable

cdef class QuickCall(Callable):
    cdef void *entry
    cdef public list ops
    cdef public bint wraps_numbers  # as tensors, where an op allows it
