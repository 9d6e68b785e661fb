# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Fourier transforms along the middle one of three dimensions, of lengths whose factors are small."""
cimport numpy as cnp
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from ..pool cimport share_out

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED(cnp.ndarray a)  # aligned, in this machine's byte order, writable
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # the same, but it may be read-only

cdef extern from "<math.h>" nogil:
    long double cosl(long double x)
    long double sinl(long double x)

cdef extern from "fourier.h" nogil:
    enum: COMPLEX_TO_COMPLEX, REAL_TO_HALF, REAL_TO_WHOLE, HALF_TO_REAL, MOST_FACTORS, LARGEST_FACTOR
    enum: LANES_f32, LANES_f64
    ctypedef struct Fourier:
        Py_ssize_t n
        int passes
        int factor[MOST_FACTORS]
        const void* roots
        const void* halves
    ctypedef struct Lines:
        const Fourier* plan
        int kind, is_backward, is_out_of_memory
        Py_ssize_t n, lines, outer
        const char* in_ "in"
        char* out
        Py_ssize_t in_line, in_step, in_outer, out_line, out_step, out_outer
        double scale
    void transform_groups_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void transform_groups_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    LONGEST = 1 << 13  # numbers of a line: so many in all lanes, twice, are about what a cache holds
    KEPT = 64  # plans
    WORK = 1 << 15  # numbers that one thread takes at a time

cdef long double TURN = 6.283185307179586476925286766559005768


cdef class Plan:
    """Factors of a length, and the roots of unity that its passes take."""
    cdef Fourier fourier
    cdef void* memory

    def __cinit__(self, Py_ssize_t n, bint is_real, bint single):
        cdef Py_ssize_t count = 0, side = 1, rest, m = n // 2 if is_real and n % 2 == 0 else n
        cdef int r
        factors = factors_of(m)
        self.fourier.n, self.fourier.passes = m, len(factors)
        for i, r in enumerate(factors):
            self.fourier.factor[i] = r
            side *= r
            count += m // side * (r - 1) + (r if is_odd(r) else 0)
        self.memory = PyMem_Malloc((2 * count + 2 * (m // 2 + 1)) * (sizeof(float) if single else sizeof(double)) + 1)
        if self.memory == NULL:
            raise MemoryError("no memory for the roots of a Fourier transform")
        self.fourier.roots = self.memory
        self.fourier.halves = <char*>self.memory + 2 * count * (sizeof(float) if single else sizeof(double))
        if single:
            write_roots(<float*>self.memory, &self.fourier, 2 * m)
        else:
            write_roots(<double*>self.memory, &self.fourier, 2 * m)

    def __dealloc__(self):
        PyMem_Free(self.memory)


ctypedef fused real:
    float
    double


cdef bint is_odd(int factor) noexcept nogil:
    """Whether a factor is taken by its definition, and has its own roots before those of its pass."""
    return factor > 5 and factor != 8


cdef real* write_root(real* to, Py_ssize_t power, Py_ssize_t n) noexcept nogil:
    cdef long double angle = TURN * (power % n) / n
    to[0] = <real>cosl(angle)
    to[1] = <real>-sinl(angle)
    return to + 2


cdef void write_roots(real* to, Fourier* plan, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t left = plan.n, p, j
    cdef int r, i
    for i in range(plan.passes):
        r = plan.factor[i]
        for j in range(r if is_odd(r) else 0):
            to = write_root(to, j, r)
        for p in range(left // r):
            for j in range(1, r):
                to = write_root(to, p * j, left)
        left //= r
    for p in range(plan.n // 2 + 1):
        to = write_root(to, p, length)


cdef list factors_of(Py_ssize_t n):
    """Of a length, the largest of each kind first; None where one of them is too large."""
    cdef list factors = []
    cdef int r
    for r in (8, 4, 2, 5, 3, 7, 11, LARGEST_FACTOR):
        while n % r == 0:
            factors.append(r)
            n //= r
    if n > 1:
        return None
    if 2 in factors and 8 in factors:  # 4 * 4 takes less than 8 * 2
        factors.remove(2)
        factors.remove(8)
        factors = [4, 4] + factors
    return factors


cdef dict plans = {}


cdef Plan plan_of(Py_ssize_t n, bint is_real, bint single):
    key = (n, is_real, single)
    plan = plans.get(key)
    if plan is None:
        if len(plans) >= KEPT:
            plans.pop(next(iter(plans)))
        plan = plans[key] = Plan(n, is_real, single)
    return plan


def takes(Py_ssize_t n, Py_ssize_t lines, bint single):
    """Whether lines of this length are transformed here, and so many of them gain by it."""
    return 2 <= n <= LONGEST and lines >= (LANES_f32 if single else LANES_f64) // 4 and factors_of(n) is not None


cdef inline Py_ssize_t step(cnp.ndarray a, int dim) except? -1:
    cdef Py_ssize_t stride = cnp.PyArray_STRIDE(a, dim), size = cnp.PyArray_ITEMSIZE(a)
    if stride % size:
        raise ValueError(f"Fourier transforms want strides of whole elements, got {(<object>a).strides}")
    return stride // size


cdef int transform(cnp.ndarray out, cnp.ndarray x, double scale, int kind, bint backward) except -1:
    cdef Lines job
    cdef bint real_in = kind == REAL_TO_HALF or kind == REAL_TO_WHOLE, real_out = kind == HALF_TO_REAL
    cdef int into = cnp.PyArray_TYPE(out), of = cnp.PyArray_TYPE(x)
    cdef bint single = into == cnp.NPY_FLOAT or into == cnp.NPY_CFLOAT
    cdef int real_kind = cnp.NPY_FLOAT if single else cnp.NPY_DOUBLE
    cdef int complex_kind = cnp.NPY_CFLOAT if single else cnp.NPY_CDOUBLE
    cdef int lane_dim = 2, other = 0
    cdef Py_ssize_t lanes = LANES_f32 if single else LANES_f64, n
    if (into != (real_kind if real_out else complex_kind) or of != (real_kind if real_in else complex_kind)
            or cnp.PyArray_NDIM(out) != 3 or cnp.PyArray_NDIM(x) != 3
            or not PyArray_ISBEHAVED(out) or not PyArray_ISBEHAVED_RO(x)):
        raise ValueError(f"Fourier transform wants three dimensions of one precision, got {x.dtype} "
                         f"{(<object>x).shape} and {out.dtype} {(<object>out).shape}")
    n = cnp.PyArray_DIM(x, 1) if real_in else cnp.PyArray_DIM(out, 1)
    if (cnp.PyArray_DIM(x, 1) < (n // 2 + 1 if real_out else n)
            or cnp.PyArray_DIM(out, 1) != (n // 2 + 1 if kind == REAL_TO_HALF else n)
            or cnp.PyArray_DIM(x, 0) != cnp.PyArray_DIM(out, 0) or cnp.PyArray_DIM(x, 2) != cnp.PyArray_DIM(out, 2)):
        raise ValueError(f"Fourier transform of {(<object>x).shape} does not fit {(<object>out).shape}")
    if not takes(n, LONGEST, single):
        raise ValueError(f"Fourier transform of {n} numbers has another way")
    cdef Plan plan = plan_of(n, kind != COMPLEX_TO_COMPLEX, single)
    if cnp.PyArray_DIM(x, 2) < lanes and cnp.PyArray_DIM(x, 2) < cnp.PyArray_DIM(x, 0):
        lane_dim, other = 0, 2
    job.plan, job.kind, job.is_backward, job.n, job.scale = &plan.fourier, kind, backward, n, scale
    job.is_out_of_memory = 0
    job.lines, job.outer = cnp.PyArray_DIM(x, lane_dim), cnp.PyArray_DIM(x, other)
    job.in_, job.out = cnp.PyArray_BYTES(x), cnp.PyArray_BYTES(out)
    job.in_line, job.in_step, job.in_outer = step(x, lane_dim), step(x, 1), step(x, other)
    job.out_line, job.out_step, job.out_outer = step(out, lane_dim), step(out, 1), step(out, other)
    cdef Py_ssize_t groups = job.outer * ((job.lines + lanes - 1) // lanes)
    with nogil:
        share_out(groups, WORK // (n * lanes) + 1, transform_groups_f32 if single else transform_groups_f64, &job)
    if job.is_out_of_memory:
        raise MemoryError("no memory for a Fourier transform to work in")
    return 0


def complex_lines(cnp.ndarray out not None, cnp.ndarray x not None, double scale, bint forward):
    """Complex numbers to complex numbers along dimension 1; the result may be the input."""
    transform(out, x, scale, COMPLEX_TO_COMPLEX, not forward)


def real_lines(cnp.ndarray out not None, cnp.ndarray x not None, double scale):
    """Real numbers to complex ones: the half that says all, or, where the result is as long, the other half, too."""
    is_whole = cnp.PyArray_NDIM(out) == 3 and cnp.PyArray_NDIM(x) == 3 and cnp.PyArray_DIM(out, 1) == cnp.PyArray_DIM(x, 1)
    transform(out, x, scale, REAL_TO_WHOLE if is_whole and cnp.PyArray_DIM(x, 1) > 2 else REAL_TO_HALF, False)


def lines_to_real(cnp.ndarray out not None, cnp.ndarray x not None, double scale):
    """One half of complex numbers that mirror each other to as many real numbers as the result has."""
    transform(out, x, scale, HALF_TO_REAL, True)
