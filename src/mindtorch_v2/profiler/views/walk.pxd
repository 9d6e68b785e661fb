cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t

cdef int64_t NONE, END
cdef int PYTHON_SCOPE, USER_SCOPE

@cython.final
cdef class Open:
    cdef public int64_t row, start_ns, end_ns, last_ns, inner_ns, self_ns, self_bytes, total_bytes, flops
    cdef public int64_t name, word, inputs, stack, called, children
    cdef public bint user
    cdef public Open above, holder, repeat, caller

@cython.final
cdef class Group:
    cdef public int64_t name, inputs, stack, first_ns, first_row
    cdef public int64_t count, total_ns, self_ns, total_bytes, self_bytes, flops
    cdef public bint user

@cython.final
cdef class Rows:
    cdef public int8_t[::1] kept
    cdef public int32_t[::1] parent, stack
    cdef public int64_t[::1] self_ns, self_bytes, total_bytes

@cython.final
cdef class Walk:
    cdef public const int32_t[::1] word
    cdef public Rows cells
    cdef public bint by_inputs, by_stack
    cdef public list open, idle, frames
    cdef public dict groups, stacks
    cdef public object changes
    cdef public const int64_t[::1] change_row, change_bytes, change_ns
    cdef public const int8_t[::1] change_seen
    cdef public Py_ssize_t n_changes, at_change
    cdef public Group outside
    @cython.locals(i=Py_ssize_t, row=Open)
    cpdef rows(self, int64_t first, const int64_t[::1] start_ns, const int64_t[::1] end_ns, const int32_t[::1] name,
               const int32_t[::1] parent, const int32_t[::1] inputs, const int32_t[::1] scope,
               const int64_t[::1] flops)
    @cython.locals(below=Open, holder=Open, caller=Open)
    cdef enter(self, Open row, bint is_python)
    @cython.locals(key=int64_t, number=object)
    cdef int64_t deeper(self, int64_t stack, int64_t name)
    @cython.locals(row=Open)
    cdef close(self, int64_t parent)
    @cython.locals(above=Open, holder=Open)
    cdef finish(self, Open row)
    @cython.locals(group=Group)
    cdef count(self, Open row)
    @cython.locals(key=int64_t)
    cdef Group group_of(self, Open row)
    cdef leave_out(self, Open row)
    @cython.locals(cells=Rows)
    cdef write(self, Open row, int8_t kept)
    cdef release(self, Open row)
    @cython.locals(row=int64_t)
    cdef charge(self, int64_t next_row)
    cdef bint more_changes(self)
    @cython.locals(innermost=Open)
    cdef charge_to(self, int64_t row, Py_ssize_t at)
    @cython.locals(row=Open)
    cdef Group outside_group(self)
    @cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, candidate=Open)
    cdef Open opened(self, int64_t row)
