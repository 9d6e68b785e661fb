# A batch of matrices for a routine of LAPACK's: lapack_batches.pyx says how it is run.
cimport numpy as cnp
from libc.stdint cimport int32_t
from ..pool cimport stretch

# Every argument is an address, whatever the type of the numbers behind it.
ctypedef void (*Of5)(void*, void*, void*, void*, void*) noexcept nogil
ctypedef void (*Of6)(void*, void*, void*, void*, void*, void*) noexcept nogil
ctypedef void (*Of8)(void*, void*, void*, void*, void*, void*, void*, void*) noexcept nogil
ctypedef void (*Of9)(void*, void*, void*, void*, void*, void*, void*, void*, void*) noexcept nogil
ctypedef void (*Of11)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*) noexcept nogil
ctypedef void (*Of13)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                      void*) noexcept nogil
ctypedef void (*Of14)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                      void*) noexcept nogil
ctypedef void (*Of15)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                      void*) noexcept nogil

cdef enum:
    OPERANDS = 4

ctypedef struct Operand:
    char* data
    cnp.npy_intp* strides  # from matrix to matrix, by dimension of the batch; NULL where it is not there
    int lead  # elements from one column to the next

ctypedef struct Job:
    void* routine
    int m, n, k
    bint is_complex, is_double
    char option[4]  # letters that LAPACK is given
    bint has_vectors
    int ndim  # of the batch
    cnp.npy_intp* shape
    Operand operand[OPERANDS]
    int32_t* codes
    bint is_out_of_memory
    bint has_bad_pivots  # which lead outside, and LAPACK does not look

ctypedef fused real:
    float
    double

cdef int begin(Job* job, str name, cnp.ndarray matrices, object codes) except -1
cdef int put(Job* job, int number, cnp.ndarray a, cnp.ndarray like, Py_ssize_t rows, Py_ssize_t columns=*,
             int kind=*, bint is_read=*) except -1
cdef int square(Job* job) except -1
cdef int real_kind(Job* job) noexcept
cdef int perform(Job* job, stretch loop, double work) except -1
cdef void items(Job* job, Py_ssize_t number, void** at) noexcept nogil
cdef void* room(Job* job, Py_ssize_t bytes) noexcept nogil
cdef Py_ssize_t number_bytes(Job* job) noexcept nogil
cdef int asked(Job* job, void* answer) noexcept nogil
