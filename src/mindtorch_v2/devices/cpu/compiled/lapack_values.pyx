# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Eigenvalues and singular values of batches of matrices by LAPACK, and their vectors: jobs of lapack_batches."""
cimport numpy as cnp
from libc.math cimport isfinite
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset
from .lapack_batches cimport (
    OPERANDS, Job, Of11, Of13, Of14, Of15, asked, begin, items, number_bytes, perform, put, real, real_kind, room, square,
)

cnp.import_array()

cdef enum:
    NON_FINITE = -4  # what newer versions of LAPACK answer about singular values of what is not finite


cdef void symmetric_values(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef double real_answer[2]
    cdef int size = -1, real_size = -1, int_size = -1, whole_answer
    cdef Py_ssize_t i
    cdef void* work
    cdef void* real_work = NULL
    cdef int* int_work
    memset(answer, 0, sizeof(answer))
    memset(real_answer, 0, sizeof(real_answer))
    whole_answer = 1
    items(job, first, at)
    symmetric(job, at, answer, &size, real_answer, &real_size, &whole_answer, &int_size, &job.codes[first])
    size, int_size = max(asked(job, answer), 1), max(whole_answer, 1)
    if job.is_complex:
        real_size = max(asked(job, real_answer), 1)
        real_work = room(job, real_size * number_bytes(job))
    work, int_work = room(job, size * number_bytes(job)), <int*>room(job, int_size * sizeof(int))
    for i in range(first, first if job.is_out_of_memory else past):
        items(job, i, at)
        symmetric(job, at, work, &size, real_work, &real_size, int_work, &int_size, &job.codes[i])
    free(work)
    free(real_work)
    free(int_work)


cdef void symmetric(Job* job, void** at, void* work, int* size, void* real_work, int* real_size, int* int_work,
                    int* int_size, int32_t* code) noexcept nogil:
    """Complex matrices want room for real numbers, too."""
    if job.is_complex:
        (<Of13>job.routine)(job.option, job.option + 1, &job.n, at[0], &job.operand[0].lead, at[1], work, size,
                            real_work, real_size, int_work, int_size, code)
    else:
        (<Of11>job.routine)(job.option, job.option + 1, &job.n, at[0], &job.operand[0].lead, at[1], work, size,
                            int_work, int_size, code)


def syevd(cnp.ndarray vectors not None, cnp.ndarray values not None, codes, bint upper, bint compute_v):
    """Eigenvalues of matrices that are their own adjoint, one half of which is read, and vectors in their place."""
    cdef Job job
    begin(&job, "syevd", vectors, codes)
    square(&job)
    put(&job, 1, values, values, job.n, -1, real_kind(&job))
    job.option[0] = b"V" if compute_v else b"N"
    job.option[1] = b"U" if upper else b"L"
    perform(&job, symmetric_values, 9.0 * job.n * job.n * job.n + 300)


cdef void any_values(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef int size = -1
    cdef Py_ssize_t i
    cdef void* work
    cdef void* real_work
    for i in range(first, past if job.n == 0 else first):
        job.codes[i] = 0
    if job.n == 0:
        return
    memset(answer, 0, sizeof(answer))
    items(job, first, at)
    real_work = room(job, 2 * job.n * number_bytes(job))
    general(job, at, answer, &size, real_work, &job.codes[first])
    size = max(asked(job, answer), 1)
    work = room(job, size * number_bytes(job))
    for i in range(first, first if job.is_out_of_memory else past):
        items(job, i, at)
        general(job, at, work, &size, real_work, &job.codes[i])
    free(work)
    free(real_work)


cdef void general(Job* job, void** at, void* work, int* size, void* real_work, int32_t* code) noexcept nogil:
    """Real matrices have a row of real and a row of imaginary parts."""
    cdef int one = 1, lead = max(job.operand[2].lead, 1)
    cdef char* none = b"N"
    if job.is_complex:
        (<Of14>job.routine)(none, job.option, &job.n, at[0], &job.operand[0].lead, at[1], NULL, &one, at[2], &lead,
                            work, size, real_work, code)
    else:
        (<Of14>job.routine)(none, job.option, &job.n, at[0], &job.operand[0].lead, at[1],
                            <char*>at[1] + job.n * number_bytes(job), NULL, &one, at[2], &lead, work, size, code)


def geev(cnp.ndarray matrices not None, cnp.ndarray values not None, vectors, codes):
    """Eigenvalues of any square matrices, which are overwritten; of real ones real parts, then imaginary ones."""
    cdef Job job
    begin(&job, "geev", matrices, codes)
    square(&job)
    put(&job, 1, values, matrices, job.n if job.is_complex else 2 * job.n)
    if vectors is not None:
        put(&job, 2, <cnp.ndarray?>vectors, matrices, job.n, job.n)
    job.option[0] = b"N" if vectors is None else b"V"
    perform(&job, any_values, 25.0 * job.n * job.n * job.n + 300)


cdef void singular_values(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef Py_ssize_t i, least = min(job.m, job.n), most = max(job.m, job.n)
    cdef int size = -1
    cdef void* work
    cdef void* real_work = NULL
    cdef int* int_work = <int*>room(job, 8 * least * sizeof(int))
    if job.is_complex:
        real_work = room(job, max(5 * least * least + 7 * least, 2 * most * least + 2 * least * least + least)
                         * number_bytes(job))
    memset(answer, 0, sizeof(answer))
    items(job, first, at)
    singular(job, at, answer, &size, real_work, int_work, &job.codes[first])
    size = max(asked(job, answer), 1)
    work = room(job, size * number_bytes(job))
    for i in range(first, first if job.is_out_of_memory else past):
        items(job, i, at)
        if (all_finite(<double*>at[0], job, <double>0) if job.is_double else all_finite(<float*>at[0], job, <float>0)):
            singular(job, at, work, &size, real_work, int_work, &job.codes[i])
        else:
            job.codes[i] = NON_FINITE
    free(work)
    free(real_work)
    free(int_work)


cdef bint all_finite(real* a, Job* job, real _) noexcept nogil:
    cdef Py_ssize_t parts = 2 if job.is_complex else 1, i, j
    cdef real* column
    for j in range(job.n):
        column = a + j * job.operand[0].lead * parts
        for i in range(job.m * parts):
            if not isfinite(column[i]):
                return False
    return True


cdef void singular(Job* job, void** at, void* work, int* size, void* real_work, int* int_work,
                   int32_t* code) noexcept nogil:
    cdef int left = max(job.operand[2].lead, 1), right = max(job.operand[3].lead, 1)
    if job.is_complex:
        (<Of15>job.routine)(job.option, &job.m, &job.n, at[0], &job.operand[0].lead, at[1], at[2], &left, at[3], &right,
                            work, size, real_work, int_work, code)
    else:
        (<Of14>job.routine)(job.option, &job.m, &job.n, at[0], &job.operand[0].lead, at[1], at[2], &left, at[3], &right,
                            work, size, int_work, code)


def gesdd(cnp.ndarray matrices not None, cnp.ndarray values not None, u, vh, codes, bint full_matrices):
    """Singular values by divide and conquer, of matrices that are overwritten, and vectors where they are wanted."""
    cdef Job job
    begin(&job, "gesdd", matrices, codes)
    cdef Py_ssize_t least = min(job.m, job.n)
    put(&job, 1, values, values, least, -1, real_kind(&job))
    job.option[0] = b"N"
    if u is not None:
        put(&job, 2, <cnp.ndarray?>u, matrices, job.m, job.m if full_matrices else least)
        put(&job, 3, <cnp.ndarray?>vh, matrices, job.n if full_matrices else least, job.n)
        job.option[0] = b"A" if full_matrices else b"S"
    if least == 0:
        raise ValueError("gesdd: matrices of at least one row and column wanted")
    perform(&job, singular_values, 20.0 * job.m * job.n * least + 1000)
