cimport cython
from libc.stdint cimport int8_t, int32_t

cdef int NONE, INPUT, TEMPORARY, ACTIVATION, GRADIENT, PARAMETER, AUTOGRAD_DETAIL

@cython.locals(i=Py_ssize_t, above=int32_t)
cpdef outermost(const int32_t[::1] parent, const int8_t[::1] marked, int32_t[::1] top)
@cython.locals(step=Py_ssize_t, i=Py_ssize_t)
cpdef reach_learned(const int32_t[::1] first, const int32_t[::1] read, const int32_t[::1] written,
                    const int8_t[::1] category, int8_t[::1] reached)
@cython.locals(i=Py_ssize_t)
cdef bint touches_learned(Py_ssize_t begin, Py_ssize_t end, const int32_t[::1] read, const int32_t[::1] written,
                          const int8_t[::1] category, int8_t[::1] reached) except -1
cdef bint is_learned(int32_t value, const int8_t[::1] category, int8_t[::1] reached) except -1
@cython.locals(left=Py_ssize_t, at=Py_ssize_t, step=int32_t, begin=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t,
               does_depend=bint)
cpdef Py_ssize_t spread(int32_t[::1] waiting, Py_ssize_t n_waiting, const int32_t[::1] first,
                        const int32_t[::1] read, const int32_t[::1] written, const int32_t[::1] tensor,
                        int8_t[::1] depends) except -1
@cython.locals(step=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t, value=int32_t, is_needed=bint)
cpdef reach_gradients(const int32_t[::1] first, const int32_t[::1] read, const int32_t[::1] written,
                      const int8_t[::1] category, int8_t[::1] needed)
@cython.locals(step=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t)
cpdef follow_inputs(const int32_t[::1] first, const int32_t[::1] read, const int32_t[::1] written,
                    const int8_t[::1] in_backward, const int8_t[::1] category, int8_t[::1] forward, int8_t[::1] met)
@cython.locals(i=Py_ssize_t, reads_marked=bint)
cdef bint goes_forward(Py_ssize_t begin, Py_ssize_t end, const int32_t[::1] read, const int32_t[::1] written,
                       const int8_t[::1] category, int8_t[::1] forward) except -1
@cython.locals(step=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t)
cpdef spread_activations(const int32_t[::1] first, const int32_t[::1] read, const int32_t[::1] written,
                         const int8_t[::1] in_backward, int8_t[::1] category)
@cython.locals(i=Py_ssize_t, kind=int8_t, reads_any=bint)
cdef bint activates(Py_ssize_t begin, Py_ssize_t end, const int32_t[::1] read, int8_t[::1] category) except -1
@cython.locals(step=Py_ssize_t, i=Py_ssize_t, value=int32_t)
cpdef spread_autograd_detail(const int32_t[::1] first, const int32_t[::1] read, const int32_t[::1] written,
                             const int8_t[::1] in_backward, int8_t[::1] category)
