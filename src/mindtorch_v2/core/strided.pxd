from libc.stdint cimport int64_t

cdef object window(object array, object dtype, tuple shape, tuple strides, Py_ssize_t offset, Py_ssize_t room)
cdef object empty(object shape, object dtype)
cdef object empty_as(object array, object dtype)
cdef object scalar(object value, object dtype)
cdef object refolded(object array, object owner, object dtype, tuple shape)
cdef bint is_row_major(object array) noexcept
cdef bint is_int64(object value) noexcept
cdef int64_t address(object array) noexcept
cdef int64_t nbytes(object array) except -1
cdef int64_t span(object array) except -1
cdef bint same_shape(object a, object b) noexcept
cdef bint has_shape(object array, tuple shape)
cdef bint is_array(object value) noexcept
cdef bint is_contiguous(object array) noexcept
cdef Py_ssize_t extent(object array, int dim) except? -1
cdef Py_ssize_t step(object array, int dim) except? -1
cdef Py_ssize_t itemsize(object array) noexcept
cdef Py_ssize_t size(object array) noexcept
cdef int ndim(object array) noexcept
cdef tuple shape(object array)
cdef object shape_as(type cls, object array)
cdef tuple strides(object array)
cdef Py_ssize_t references(object value) noexcept
cdef object install(object cls, str name, object value)
