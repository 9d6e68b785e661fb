# cython: language_level=3
"""The threads that kernels share their loops with; pool.h says how."""

cdef extern from "pool.h" nogil:
    void share(Py_ssize_t n, Py_ssize_t chunk, stretch run, void *job) noexcept
    void want_threads(int count) noexcept
    int wanted_threads() noexcept


cdef void share_out(Py_ssize_t n, Py_ssize_t chunk, stretch run, void *job) noexcept nogil:
    """Run a loop over n elements in chunks, on as many threads as were set; it returns when all of it is done."""
    share(n, chunk, run, job)


def set_threads(int count):
    """How many threads a loop may use, the caller's own included."""
    want_threads(count)


def get_threads():
    return wanted_threads()
