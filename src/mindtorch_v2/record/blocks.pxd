cdef void *more_room(void *block, Py_ssize_t size, Py_ssize_t *room, Py_ssize_t *reserve, Py_ssize_t most,
                     str what) except NULL
cdef object copied(void *block, Py_ssize_t begin, Py_ssize_t end, dtype)
cdef object handed_out(void *block, Py_ssize_t n, dtype)
