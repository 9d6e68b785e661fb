cdef class Operator:
    cdef public str name, overload, event, doc
    cdef public object schema
    cdef public int n_params, n_positional, n_required, mutates, aliases, how, pointwise, name_id, numbers
    cdef public list kinds
    cdef public tuple defaults, tensors, lists, result_names
    cdef public bint has_tensors, is_out, checks, takes_out, composite, differentiable, keyword_required, in_python
    cdef public object work, meta, backward, flops, form
