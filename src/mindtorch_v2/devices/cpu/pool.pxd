ctypedef void (*stretch)(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil

cdef void share_out(Py_ssize_t n, Py_ssize_t chunk, stretch run, void *job) noexcept nogil
