from .derivative cimport Derivative

cdef class Operator:
    cdef public str name, overload, event, doc, kernel, refused_as
    cdef public object schema
    cdef public int n_params, n_positional, n_required, mutates, aliases, n_tensors, tensor0, tensor1, how, device_at, out_type, pointwise, checks, name_id, numbers, autocast
    cdef public list kinds
    cdef public bytes codes, sizes
    cdef public unsigned long long optional, required
    cdef public dict index
    cdef public tuple defaults, tails, tensors, operands, lists, no_grad_for, converts, outs
    cdef public bint has_tensors, is_out, copies_integers, inplace_view, takes_out, composite, differentiable
    cdef public bint keyword_required, in_python, writes_expanded, warns_expanded, shares_inputs, spares_inputs, shares_first
    cdef public object work, loop, ufunc, meta, kernel_types, scalars, form, result_type, out_words, check_out
    cdef public Derivative backward
