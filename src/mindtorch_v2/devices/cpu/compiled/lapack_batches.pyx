# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""LAPACK's routines over batches of matrices, called by address and shared out among threads.

Addresses are those that SciPy publishes for Cython. Matrices lie column by column, one batch in any way; numbers that
belong to a matrix (pivots, values, factors of reflections) lie side by side. A routine works in the place of what it
is given; `codes` are what it said of each matrix.
"""
cimport numpy as cnp
from cpython.pycapsule cimport PyCapsule_GetName, PyCapsule_GetPointer
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from ..pool cimport share_out
from .arrays cimport into

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED(cnp.ndarray a)  # aligned, in this machine's byte order, writable
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # the same, but it may be read-only

cdef enum:
    WORK = 1 << 15  # multiplications, or so, that one thread takes at a time
    MOST = 0x7FFFFFFF  # that LAPACK counts to

cdef dict addresses = {}


cdef void* address(str name, cnp.ndarray a) except NULL:
    """Of a routine, for the type of numbers of an array."""
    cdef int kind = cnp.PyArray_TYPE(a)
    if kind != cnp.NPY_FLOAT and kind != cnp.NPY_DOUBLE and kind != cnp.NPY_CFLOAT and kind != cnp.NPY_CDOUBLE:
        raise TypeError(f"{name}: float32, float64, complex64 or complex128 wanted, got {a.dtype}")
    key = (name, kind)
    if key not in addresses:
        from ..lapack import published
        addresses[key] = published(name, a.dtype)
    capsule = addresses[key]
    return PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))


cdef int begin(Job* job, str name, cnp.ndarray matrices, object codes) except -1:
    """A job whose first operand are these matrices."""
    cdef int kind = cnp.PyArray_TYPE(matrices)
    memset(job, 0, sizeof(Job))
    job.routine = address(name, matrices)
    job.is_complex = kind == cnp.NPY_CFLOAT or kind == cnp.NPY_CDOUBLE
    job.is_double = kind == cnp.NPY_DOUBLE or kind == cnp.NPY_CDOUBLE
    job.ndim = cnp.PyArray_NDIM(matrices) - 2
    if job.ndim < 0:
        raise ValueError(f"{name}: matrices wanted, got {(<object>matrices).shape}")
    job.shape = cnp.PyArray_DIMS(matrices)
    job.m, job.n = whole(job.shape[job.ndim]), whole(job.shape[job.ndim + 1])
    put(job, 0, matrices, matrices, job.m, job.n)
    if codes is not None:
        job.codes = <int32_t*>into(<cnp.ndarray?>codes, cnp.NPY_INT32, count_of(job))
    return 0


cdef int whole(Py_ssize_t size) except -1:
    if size > MOST:
        raise ValueError(f"LAPACK takes matrices of up to {MOST} rows or columns, got {size}")
    return <int>size


cdef Py_ssize_t count_of(Job* job) noexcept nogil:
    cdef Py_ssize_t count = 1
    cdef int dim
    for dim in range(job.ndim):
        count *= job.shape[dim]
    return count


cdef int put(Job* job, int number, cnp.ndarray a, cnp.ndarray like, Py_ssize_t rows, Py_ssize_t columns=-1,
             int kind=-1, bint is_read=False) except -1:
    """An operand of a job: matrices, or, without columns, so many numbers each; of the type of another or a kind."""
    cdef int dim, ndim = job.ndim, inner = 1 if columns < 0 else 2
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(a), stride
    cdef bint fits = PyArray_ISBEHAVED_RO(a) if is_read else PyArray_ISBEHAVED(a)
    fits = (fits and cnp.PyArray_NDIM(a) == ndim + inner
            and cnp.PyArray_TYPE(a) == (cnp.PyArray_TYPE(like) if kind < 0 else kind))
    for dim in range(ndim if fits else 0):
        fits = fits and cnp.PyArray_DIM(a, dim) == job.shape[dim]
    fits = (fits and cnp.PyArray_DIM(a, ndim) == rows
            and (inner == 1 or cnp.PyArray_DIM(a, ndim + 1) == columns))
    job.operand[number].lead = max(rows, 1)
    if fits and cnp.PyArray_SIZE(a):
        fits = rows < 2 or cnp.PyArray_STRIDE(a, ndim) == size
        if columns > 1:
            stride = cnp.PyArray_STRIDE(a, ndim + 1)
            fits = fits and stride % size == 0 and stride // size >= rows
            job.operand[number].lead = whole(stride // size)
    if not fits:
        raise ValueError(f"operand {number} of LAPACK wants {rows} rows"
                         f"{'' if columns < 0 else f' and {columns} columns, column by column,'} of each of "
                         f"{[job.shape[dim] for dim in range(ndim)]} matrices; got {a.dtype} {(<object>a).shape}, "
                         f"strides {(<object>a).strides}")
    job.operand[number].data = cnp.PyArray_BYTES(a)
    job.operand[number].strides = cnp.PyArray_STRIDES(a)
    return 0


cdef void items(Job* job, Py_ssize_t number, void** at) noexcept nogil:
    """Where the operands of one matrix lie."""
    cdef int operand, dim
    cdef Py_ssize_t rest = number, index
    for operand in range(OPERANDS):
        at[operand] = job.operand[operand].data
    for dim in range(job.ndim - 1, -1, -1):
        index = rest % job.shape[dim]
        rest //= job.shape[dim]
        for operand in range(OPERANDS):
            if job.operand[operand].strides:
                at[operand] = <char*>at[operand] + index * job.operand[operand].strides[dim]


cdef int perform(Job* job, stretch loop, double work) except -1:
    """Matrix by matrix, each of about so many multiplications."""
    cdef Py_ssize_t count = count_of(job)
    with nogil:
        share_out(count, <Py_ssize_t>(WORK / (work + 1)) + 1, loop, job)
    if job.is_out_of_memory:
        raise MemoryError("no memory for LAPACK to work in")
    return 0


cdef void* room(Job* job, Py_ssize_t bytes) noexcept nogil:
    cdef void* memory = malloc(bytes + 64)
    if memory == NULL:
        job.is_out_of_memory = True
    return memory


cdef Py_ssize_t number_bytes(Job* job) noexcept nogil:
    return (4 << job.is_double) << job.is_complex


cdef int asked(Job* job, void* answer) noexcept nogil:
    """How many numbers a routine wants to work in, which it answers as one of its own; room is left for rounding."""
    cdef double size = (<double*>answer)[0] if job.is_double else (<float*>answer)[0] * 1.0001 + 1
    return <int>min(size, <double>MOST)


cdef int square(Job* job) except -1:
    if job.m != job.n:
        raise ValueError(f"square matrices wanted, got {job.m} rows and {job.n} columns")
    return 0


cdef int real_kind(Job* job) noexcept:
    return cnp.NPY_DOUBLE if job.is_double else cnp.NPY_FLOAT


cdef void lu_factors(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        (<Of6>job.routine)(&job.m, &job.n, at[0], &job.operand[0].lead, at[1], &job.codes[i])


def getrf(cnp.ndarray factors not None, cnp.ndarray pivots not None, codes):
    """Both triangles in the place of each matrix; pivots count rows from 1."""
    cdef Job job
    begin(&job, "getrf", factors, codes)
    put(&job, 1, pivots, pivots, min(job.m, job.n), -1, cnp.NPY_INT32)
    perform(&job, lu_factors, <double>job.m * job.n * job.n)


cdef void lu_solutions(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef int code
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        (<Of9>job.routine)(job.option, &job.m, &job.n, at[1], &job.operand[1].lead, at[2], at[0],
                           &job.operand[0].lead, &code)


def getrs(cnp.ndarray solution not None, cnp.ndarray factors not None, cnp.ndarray pivots not None, bint adjoint):
    """Right-hand sides, in their place, by triangles whose pivots were checked."""
    cdef Job job
    begin(&job, "getrs", solution, None)
    put(&job, 1, factors, solution, job.m, job.m, -1, True)
    put(&job, 2, pivots, pivots, job.m, -1, cnp.NPY_INT32, True)
    job.option[0] = b"C" if adjoint else b"N"
    perform(&job, lu_solutions, <double>job.m * job.m * job.n)


cdef void triangle_factors(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        (<Of5>job.routine)(job.option, &job.n, at[0], &job.operand[0].lead, &job.codes[i])


def potrf(cnp.ndarray factor not None, codes, bint upper):
    """The triangle of each matrix, in its place."""
    cdef Job job
    begin(&job, "potrf", factor, codes)
    square(&job)
    job.option[0] = b"U" if upper else b"L"
    perform(&job, triangle_factors, <double>job.n * job.n * job.n / 3)


cdef void triangle_inverses(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        (<Of5>job.routine)(job.option, &job.n, at[0], &job.operand[0].lead, &job.codes[i])
        if job.is_double:
            mirror(<double*>at[0], job, <double>0)
        else:
            mirror(<float*>at[0], job, <float>0)


cdef void mirror(real* a, Job* job, real _) noexcept nogil:
    """Fill the half that LAPACK left out with the adjoint of the other."""
    cdef Py_ssize_t parts = 2 if job.is_complex else 1, lead = job.operand[0].lead, i, j
    cdef real* to
    cdef real* of
    for j in range(job.n):
        for i in range(j):
            to, of = a + (i * lead + j) * parts, a + (j * lead + i) * parts
            if job.option[0] == b"L":
                to, of = of, to
            to[0] = of[0]
            if job.is_complex:
                to[1] = -of[1]
        if job.is_complex:
            a[(j * lead + j) * 2 + 1] = 0


def potri(cnp.ndarray inverse not None, codes, bint upper):
    """Inverses from triangles, in their place, both halves of them."""
    cdef Job job
    begin(&job, "potri", inverse, codes)
    square(&job)
    job.option[0] = b"U" if upper else b"L"
    perform(&job, triangle_inverses, <double>job.n * job.n * job.n)


cdef void triangle_solutions(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef int code
    cdef Py_ssize_t i
    for i in range(first, past):
        items(job, i, at)
        (<Of8>job.routine)(job.option, &job.m, &job.n, at[1], &job.operand[1].lead, at[0], &job.operand[0].lead, &code)


def potrs(cnp.ndarray solution not None, cnp.ndarray factor not None, bint upper):
    """Right-hand sides, in their place, by the triangles of their matrices."""
    cdef Job job
    begin(&job, "potrs", solution, None)
    put(&job, 1, factor, solution, job.m, job.m, -1, True)
    job.option[0] = b"U" if upper else b"L"
    perform(&job, triangle_solutions, 2.0 * job.m * job.m * job.n)


cdef void triangle_equations(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double one_double[2]
    cdef float one_float[2]
    cdef void* one = one_double if job.is_double else <void*>one_float
    cdef Py_ssize_t i
    one_double[0], one_double[1] = 1, 0
    one_float[0], one_float[1] = 1, 0
    for i in range(first, past):
        items(job, i, at)
        (<Of11>job.routine)(job.option, job.option + 1, job.option + 2, job.option + 3, &job.m, &job.n, one, at[1],
                            &job.operand[1].lead, at[0], &job.operand[0].lead)


def trsm(cnp.ndarray solution not None, cnp.ndarray triangle not None, bint upper, bint left, int transpose,
         bint unitriangular):
    """Right-hand sides, in their place, of AX = B or XA = B; 1 turns the triangle, 2 conjugates it, too."""
    cdef Job job
    begin(&job, "trsm", solution, None)
    put(&job, 1, triangle, solution, job.m if left else job.n, job.m if left else job.n, -1, True)
    job.option[0] = b"L" if left else b"R"
    job.option[1] = b"U" if upper else b"L"
    job.option[2] = b"N" if transpose == 0 else b"T" if transpose == 1 else b"C"
    job.option[3] = b"U" if unitriangular else b"N"
    perform(&job, triangle_equations, <double>job.m * job.n * (job.m if left else job.n) / 2)


cdef void reflections(void* job_, Py_ssize_t first, Py_ssize_t past) noexcept nogil:
    cdef Job* job = <Job*>job_
    cdef void* at[OPERANDS]
    cdef double answer[2]
    cdef int size = -1, code, k = job.k
    cdef Py_ssize_t i
    cdef void* work
    memset(answer, 0, sizeof(answer))
    items(job, first, at)
    if job.has_vectors:
        (<Of9>job.routine)(&job.m, &job.n, &k, at[0], &job.operand[0].lead, at[1], answer, &size, &code)
    else:
        (<Of8>job.routine)(&job.m, &job.n, at[0], &job.operand[0].lead, at[1], answer, &size, &code)
    size = max(asked(job, answer), job.n, 1)
    work = room(job, size * number_bytes(job))
    for i in range(first, past if work else first):
        items(job, i, at)
        if job.has_vectors:
            (<Of9>job.routine)(&job.m, &job.n, &k, at[0], &job.operand[0].lead, at[1], work, &size, &code)
        else:
            (<Of8>job.routine)(&job.m, &job.n, at[0], &job.operand[0].lead, at[1], work, &size, &code)
    free(work)


def geqrf(cnp.ndarray factors not None, cnp.ndarray tau not None):
    """Matrices as a triangle on and above the diagonal, and reflections below it with their factors ``tau``."""
    cdef Job job
    begin(&job, "geqrf", factors, None)
    put(&job, 1, tau, factors, min(job.m, job.n))
    perform(&job, reflections, 2.0 * job.m * job.n * job.n)


def orgqr(cnp.ndarray q not None, cnp.ndarray tau not None):
    """The product of reflections, in the place of the columns that hold them."""
    cdef Job job
    begin(&job, "orgqr", q, None)
    job.k, job.has_vectors = whole(cnp.PyArray_DIM(tau, job.ndim)) if cnp.PyArray_NDIM(tau) > job.ndim else 0, True
    put(&job, 1, tau, q, job.k, -1, -1, True)
    if not job.k <= job.n <= job.m:
        raise ValueError(f"orgqr: no more reflections than columns than rows wanted, got {job.k}, {job.n}, {job.m}")
    perform(&job, reflections, 2.0 * job.m * job.n * job.n)
