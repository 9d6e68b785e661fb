from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t

cdef packed struct Row:
    int64_t start_ns
    int64_t end_ns
    int64_t sequence
    int32_t name
    uint32_t back
    int32_t inputs
    int16_t forward_thread
    uint8_t scope
    uint8_t flags

cdef packed struct MemoryRow:
    int64_t time_ns
    int64_t place
    int64_t change
    uint32_t row

cdef struct TensorRow:
    uint32_t row
    uint32_t slot
    int64_t tensor
    int64_t storage

cdef struct Given:
    int64_t tensor
    int64_t storage

cdef struct Log:
    Row *rows
    Py_ssize_t n_rows, row_room, row_reserve
    int64_t first
    MemoryRow *memory
    Py_ssize_t n_memory, memory_room, memory_reserve
    int64_t first_memory
    TensorRow *tensors
    Py_ssize_t n_tensors, tensor_room, tensor_reserve
    int64_t first_tensor
    int64_t innermost
    int64_t *outer
    Py_ssize_t n_outer
    int64_t latest_ns
    int64_t *calls
    Py_ssize_t depth, call_room
    int session
    int index
    int life
    int64_t os_id, ident
    bint ended

cdef enum:
    NUMBER_BITS = 40

cdef int listening() noexcept nogil
cdef Log *log_of_thread() except NULL
cdef Log *log_for(thread) except NULL
cdef Log *log_at(int thread) noexcept
cdef int64_t open_in(Log *log, int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2
cdef int64_t open_row(int name, int scope, int64_t sequence, int inputs, int forward_thread) except -2
cdef int64_t open_given(int name, int scope, int64_t sequence, int inputs, int forward_thread, Given *given,
                        int *n) except -2
cdef int close_row(int64_t handle) except -1
cdef int tensor_given(int64_t handle, int slot, int64_t tensor, int64_t storage) except -1
cdef bint memory_changed(int64_t address, int64_t change, bint seen) except -1
cdef int thread_count() noexcept
cdef int thread_index() noexcept
cdef void fit(Log *log, Py_ssize_t spare) noexcept
cdef void step_out(Log *log) noexcept
cdef int64_t bytes_alive() noexcept
