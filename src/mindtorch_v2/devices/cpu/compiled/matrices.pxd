# Products of matrices for other kernels: pointers in, any steps, no Python.
cimport numpy as cnp

cdef extern from "product_job.h" nogil:
    ctypedef struct Product:
        int is_double, is_bfloat16, adds
        Py_ssize_t m, n, k
        const char *a
        const char *b
        char *c
        Py_ssize_t a_row, a_column, b_row, b_column, c_row
        const Py_ssize_t *a_at
        const Py_ssize_t *b_at
        const Py_ssize_t *c_at
        Py_ssize_t rows, row_blocks, columns, column_blocks

cdef void multiply_items(Product *p, Py_ssize_t items) noexcept nogil
cdef int multiply_into(object out, object a, object b, bint adds) except -1
cdef bint lie_apart(cnp.ndarray a, cnp.ndarray b) noexcept
