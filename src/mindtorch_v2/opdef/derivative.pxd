cdef class Formula:
    cdef public object function
    cdef public int param
    cdef public tuple sources

cdef class Derivative:
    cdef public str node
    cdef public list formulas
    cdef public bint joint
    cdef public tuple params, saved_params, saved_results
    cdef public int node_name_id, evaluate_name_id
