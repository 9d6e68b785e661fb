cdef void *more_room(void *block, Py_ssize_t size, Py_ssize_t *room, Py_ssize_t *reserve, Py_ssize_t step) noexcept
cdef object handed_out(void *block, Py_ssize_t n, dtype)
