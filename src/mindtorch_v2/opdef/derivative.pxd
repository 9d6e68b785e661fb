cdef class Formula:
    cdef public object function
    cdef public int param
    cdef public tuple sources

cdef class Derivative:
    cdef public str node
    cdef public list formulas
    cdef public bint joint, conjugates
    cdef public tuple params, order, saved_results, by_name
    cdef public object schema
    cdef public int node_name_id, evaluate_name_id
    cdef dict _by_mask
    cdef tuple _latest
    cpdef tuple saved_for(self, int mask)
