# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Equations solved as nearly as can be, and symmetric ones, by LAPACK over batches: jobs of lapack_batches."""
cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memset
from .arrays cimport into
from .lapack_batches cimport (
    OPERANDS, Job, Of8, Of9, Of11, Of13, Of14, Of15, asked, begin, items, number_bytes, perform, put, real_kind, room,
    square,
)

cnp.import_array()

cdef enum:
    GELS, GELSY, GELSD, GELSS

cdef tuple DRIVERS = ("gels", "gelsy", "gelsd", "gelss")

ctypedef struct Equations:
    Job job  # the first, so that one leads to the other
    int driver
    double rcond
    float single_rcond
    int64_t* ranks

ctypedef struct Workspace:
    void* numbers
    int size
    void* reals
    int* ints
    int* order


cdef void call(Equations* e, void** at, Workspace* w, int* rank, int32_t* code) noexcept nogil:
    cdef Job* job = &e.job
    cdef void* rcond = <void*>&e.rcond if job.is_double else <void*>&e.single_rcond
    cdef int* lead = &job.operand[0].lead
    cdef int* lead_of_side = &job.operand[1].lead
    if e.driver == GELS:
        (<Of11>job.routine)(job.option, &job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, w.numbers, &w.size,
                            code)
    elif e.driver == GELSY and job.is_complex:
        (<Of14>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, w.order, rcond, rank, w.numbers,
                            &w.size, w.reals, code)
    elif e.driver == GELSY:
        (<Of13>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, w.order, rcond, rank, w.numbers,
                            &w.size, code)
    elif e.driver == GELSD and job.is_complex:
        (<Of15>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, at[2], rcond, rank, w.numbers,
                            &w.size, w.reals, w.ints, code)
    elif e.driver == GELSD:
        (<Of14>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, at[2], rcond, rank, w.numbers,
                            &w.size, w.ints, code)
    elif job.is_complex:
        (<Of14>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, at[2], rcond, rank, w.numbers,
                            &w.size, w.reals, code)
    else:
        (<Of13>job.routine)(&job.m, &job.n, &job.k, at[0], lead, at[1], lead_of_side, at[2], rcond, rank, w.numbers,
                            &w.size, code)


cdef void least_squares(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Equations* e = <Equations*>job_
    cdef Job* job = &e.job
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef double real_answer[2]
    cdef int int_answer = 1, rank = 0
    cdef Py_ssize_t i, reals, least = min(job.m, job.n), order_bytes = job.n * sizeof(int)
    cdef Workspace w
    memset(answer, 0, sizeof(answer))
    memset(real_answer, 0, sizeof(real_answer))
    items(job, first, at)
    w.order = <int*>room(job, order_bytes)
    if w.order == NULL:
        return
    memset(w.order, 0, order_bytes)
    w.numbers, w.size, w.reals, w.ints = answer, -1, real_answer, &int_answer
    call(e, at, &w, &rank, &job.codes[first])
    reals = 2 * job.n if e.driver == GELSY else 5 * least if e.driver == GELSS else asked(job, real_answer)
    w.size = max(asked(job, answer), 1)
    w.numbers, w.reals = room(job, w.size * number_bytes(job)), room(job, max(reals, 1) * number_bytes(job))
    w.ints = <int*>room(job, max(int_answer, 1) * sizeof(int))
    for i in range(first, first if job.is_out_of_memory else past):
        items(job, i, at)
        memset(w.order, 0, order_bytes)
        call(e, at, &w, &rank, &job.codes[i])
        if e.ranks != NULL:
            e.ranks[i] = rank
    free(w.numbers)
    free(w.reals)
    free(w.ints)
    free(w.order)


def lstsq(cnp.ndarray matrices not None, cnp.ndarray solution not None, values, ranks, codes, double rcond, str driver):
    """Solutions in the place of right-hand sides, below which stands what is left, by one of four drivers.

    Matrices are overwritten; ``values`` are singular values where the driver finds them.
    """
    cdef Equations e
    cdef Py_ssize_t least, count = 1
    cdef int dim
    if driver not in DRIVERS:
        raise ValueError(f"one of {DRIVERS} wanted, got {driver!r}")
    begin(&e.job, driver, matrices, codes)
    if codes is None:
        raise ValueError("lstsq: codes wanted")
    for dim in range(e.job.ndim):
        count *= e.job.shape[dim]
    e.driver, e.rcond, e.single_rcond, e.ranks = DRIVERS.index(driver), rcond, <float>rcond, NULL
    e.job.option[0] = b"N"
    least = min(e.job.m, e.job.n)
    if cnp.PyArray_NDIM(solution) != e.job.ndim + 2:
        raise ValueError(f"lstsq: {(<object>solution).shape} does not fit {(<object>matrices).shape}")
    e.job.k = <int>min(cnp.PyArray_DIM(solution, e.job.ndim + 1), 0x7FFFFFFF)
    put(&e.job, 1, solution, matrices, max(e.job.m, e.job.n), e.job.k)
    if not least or not e.job.k:
        raise ValueError("lstsq: matrices and right-hand sides of at least one row and column wanted")
    if e.driver == GELSD or e.driver == GELSS:
        put(&e.job, 2, <cnp.ndarray?>values, matrices, least, -1, real_kind(&e.job))
    if ranks is not None:
        e.ranks = <int64_t*>into(<cnp.ndarray?>ranks, cnp.NPY_INT64, count)
    perform(<Job*>&e, least_squares, 4.0 * e.job.m * e.job.n * least + 300)


cdef void symmetric_factors(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef int size = -1
    cdef Py_ssize_t i
    cdef void* work
    memset(answer, 0, sizeof(answer))
    items(job, first, at)
    (<Of8>job.routine)(job.option, &job.n, at[0], &job.operand[0].lead, at[1], answer, &size, &job.codes[first])
    size = max(asked(job, answer), 1)
    work = room(job, size * number_bytes(job))
    for i in range(first, past if work else first):
        items(job, i, at)
        (<Of8>job.routine)(job.option, &job.n, at[0], &job.operand[0].lead, at[1], work, &size, &job.codes[i])
    free(work)


def sytrf(cnp.ndarray factors not None, cnp.ndarray pivots not None, codes, bint hermitian):
    """A triangle and small blocks in the place of each lower half; a pivot below zero stands for a block of two rows."""
    cdef Job job
    begin(&job, "hetrf" if hermitian and factors.dtype.kind == "c" else "sytrf", factors, codes)
    if codes is None:
        raise ValueError("sytrf: codes wanted")
    square(&job)
    put(&job, 1, pivots, pivots, job.n, -1, cnp.NPY_INT32)
    job.option[0] = b"L"
    perform(&job, symmetric_factors, <double>job.n * job.n * job.n / 3)


cdef void symmetric_solutions(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef int code
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        if are_pivots(<int*>at[2], job.m):
            (<Of9>job.routine)(job.option, &job.m, &job.n, at[1], &job.operand[1].lead, at[2], at[0],
                               &job.operand[0].lead, &code)
        else:
            job.has_bad_pivots = True


cdef bint are_pivots(int* pivots, int n) noexcept nogil:
    """Whether every row is exchanged with one that is there, and blocks have two rows."""
    cdef int row = 0
    while row < n:
        if pivots[row] > 0 and pivots[row] <= n:
            row += 1
        elif row + 1 < n and -n <= pivots[row] < 0 and -n <= pivots[row + 1] < 0:
            row += 2
        else:
            return False
    return True


def sytrs(cnp.ndarray solution not None, cnp.ndarray factors not None, cnp.ndarray pivots not None, bint hermitian):
    """Right-hand sides, in their place, by the factors of their matrices."""
    cdef Job job
    begin(&job, "hetrs" if hermitian and solution.dtype.kind == "c" else "sytrs", solution, None)
    put(&job, 1, factors, solution, job.m, job.m, -1, True)
    put(&job, 2, pivots, pivots, job.m, -1, cnp.NPY_INT32, True)
    job.option[0] = b"L"
    perform(&job, symmetric_solutions, 2.0 * job.m * job.m * job.n)
    if job.has_bad_pivots:
        raise RuntimeError("the pivots of a symmetric factorization are rows counted from 1, and two below zero are a block")
