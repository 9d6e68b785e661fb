cimport cython

@cython.locals(room=Py_ssize_t)
cpdef Py_ssize_t wrap_dim(Py_ssize_t dim, Py_ssize_t ndim) except? -1
cpdef Py_ssize_t existing_dim(Py_ssize_t dim, Py_ssize_t ndim) except? -1
@cython.locals(n=Py_ssize_t, at=Py_ssize_t, i=Py_ssize_t)
cpdef tuple drop_dim(tuple shape, Py_ssize_t dim, bint keepdim)
@cython.locals(changed=list)
cpdef tuple replaced(tuple values, Py_ssize_t at, value)
@cython.locals(longer=list)
cpdef tuple inserted(tuple values, Py_ssize_t at, value)
@cython.locals(n=Py_ssize_t, i=Py_ssize_t, step=Py_ssize_t)
cpdef tuple contiguous_strides(shape)
@cython.locals(n=Py_ssize_t, i=Py_ssize_t, x=Py_ssize_t, y=Py_ssize_t)
cpdef tuple broadcast_shapes(a, b)
@cython.locals(lead=Py_ssize_t, i=Py_ssize_t, want=Py_ssize_t, have=Py_ssize_t, step=Py_ssize_t)
cpdef expanded(shape, strides, size)
@cython.locals(expected=Py_ssize_t, step=Py_ssize_t, size=Py_ssize_t, i=Py_ssize_t)
cpdef bint is_non_overlapping_and_dense(shape, strides) except -1
@cython.locals(numel=Py_ssize_t, size=Py_ssize_t, at=Py_ssize_t, chunk=Py_ssize_t, step=Py_ssize_t, i=Py_ssize_t,
               filled=Py_ssize_t, ends=bint)
cpdef view_strides(shape, strides, wanted)
cdef double MAX_NUMEL
@cython.locals(reach=double, known=Py_ssize_t, i=Py_ssize_t, size=Py_ssize_t, hole=Py_ssize_t)
cpdef tuple infer_size(wanted, Py_ssize_t numel)
