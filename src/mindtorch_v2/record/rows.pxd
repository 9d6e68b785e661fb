from libc.stdint cimport int32_t, int64_t

cdef struct Row:
    int64_t start_ns
    int64_t end_ns
    int64_t sequence
    int32_t name
    int32_t parent
    int32_t inputs
    int32_t forward_thread
    int32_t scope
    int32_t flags

cdef int listening() noexcept nogil
cdef Py_ssize_t open_row(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2
cdef int close_row(Py_ssize_t row) except -1
cdef int memory_changed(int64_t address, int64_t change) except -1
cdef int thread_index() noexcept
