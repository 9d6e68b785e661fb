# Loops of layer and RMS norm over rows, of floats and of halves.

cdef extern from "half_rows.h" nogil:
    ctypedef struct RowNorm:
        int single, is_rms
        void *out
        void *x
        void *grad
        void *weight
        void *bias
        void *mean
        void *rstd
        void *grad_weights
        void *grad_biases
        Py_ssize_t rows, cols, part
        double eps
    ctypedef struct HalfRows:
        RowNorm of_ "of"
        int half, lacks_memory
    void half_norm_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void half_norm_parts_backward(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    Py_ssize_t parts_of(const RowNorm *r)
    void norm_rows(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void norm_parts_backward(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void add_parts_any(bint, void *to, const void *parts, Py_ssize_t count, Py_ssize_t cols) noexcept
