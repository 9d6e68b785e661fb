# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""PyTorch's CPU random numbers, bit for bit, written into C-contiguous arrays of any dtype."""
cimport numpy as cnp
from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from .arrays cimport data, into

import numpy as np

from ..random_state import STATE, WIDE_PERMUTATION, choose, integer_range, read_state, store, store_uniform

cnp.import_array()

cdef extern from "rejection.h" nogil:
    enum: BLOCK
    ctypedef struct mersenne:
        uint32_t word[624]
        int32_t left
        uint32_t next
    ctypedef struct spare:
        double value
        int is_there
    void mersenne_seed(mersenne*, uint32_t)
    uint32_t mersenne_word32(mersenne*)
    uint64_t mersenne_word64(mersenne*)
    void uniform_f32(mersenne*, float*, Py_ssize_t, float low, float high)
    void uniform_f64(mersenne*, double*, Py_ssize_t, double low, double high)
    void normal_f32(mersenne*, float*, Py_ssize_t, Py_ssize_t first, float mean, float std)
    void normal_f64(mersenne*, double*, Py_ssize_t, Py_ssize_t first, double mean, double std)
    void normal_one_by_one(mersenne*, spare*, double*, Py_ssize_t, double mean, double std)
    void bernoulli_one_p(mersenne*, uint8_t*, Py_ssize_t, double p)
    void bernoulli_p_f32(mersenne*, uint8_t*, Py_ssize_t, float* p)
    void bernoulli_p_f64(mersenne*, uint8_t*, Py_ssize_t, double* p)
    void integers_32(mersenne*, int64_t*, Py_ssize_t, uint32_t range, int64_t low)
    void integers_64(mersenne*, int64_t*, Py_ssize_t, uint64_t range, int64_t low)
    void shuffle(mersenne*, int64_t*, Py_ssize_t)
    void shuffle_inside_out(mersenne*, int64_t*, Py_ssize_t)
    void exponential_f64(mersenne*, double*, Py_ssize_t, double lambd)
    void cauchy_f64(mersenne*, double*, Py_ssize_t, double median, double sigma)
    void geometric_f64(mersenne*, double*, Py_ssize_t, double p)
    void gamma_f32(mersenne*, spare*, double*, Py_ssize_t, float* shape)
    void gamma_f64(mersenne*, spare*, double*, Py_ssize_t, double* shape)
    void poisson_f64(mersenne*, double*, Py_ssize_t, double* mean)
    void binomial_f64(mersenne*, double*, Py_ssize_t, double* count, double* p)


cdef class Engine:
    """Torch's CPU generator."""
    cdef mersenne m
    cdef spare kept
    cdef float float_spare
    cdef bint has_float_spare
    cdef readonly uint64_t initial_seed

    def __cinit__(self, seed=67280421310721):
        self.seed(seed)  # before anybody draws: an engine without words would read past them

    def seed(self, seed):
        """Starts over from the lower 32 bits of a 64-bit seed."""
        self.initial_seed = seed & 0xFFFFFFFFFFFFFFFF
        mersenne_seed(&self.m, <uint32_t>self.initial_seed)
        memset(&self.kept, 0, sizeof(spare))
        self.float_spare, self.has_float_spare = 0, False

    def random32(self):
        """One 32-bit word."""
        return mersenne_word32(&self.m)

    def random64(self):
        """One 64-bit word."""
        return mersenne_word64(&self.m)

    def get_state(self):
        """The bytes of torch.get_rng_state()."""
        state = np.zeros(1, STATE)
        state["initial_seed"], state["seeded"] = self.initial_seed, 1
        state["left"], state["next"] = self.m.left, self.m.next
        state["words"] = <uint32_t[:624]>self.m.word
        state["has_spare"], state["spare"] = self.kept.is_there, self.kept.value if self.kept.is_there else 0.0
        state["has_float_spare"], state["float_spare"] = self.has_float_spare, self.float_spare
        return state.view(np.uint8)

    def set_state(self, state):
        """Goes on from the bytes of torch.get_rng_state()."""
        fields = read_state(state)
        cdef uint32_t[::1] words = fields["words"].astype(np.uint32)
        cdef Py_ssize_t i
        for i in range(624):
            self.m.word[i] = words[i]
        self.initial_seed = fields["initial_seed"]
        self.m.left, self.m.next = fields["left"], fields["next"]
        self.kept.is_there, self.kept.value = fields["has_spare"] != 0, fields["spare"]
        self.has_float_spare = fields["has_float_spare"]
        self.float_spare = fields["float_spare"] if self.has_float_spare else 0.0


cdef cnp.ndarray in_kind(cnp.ndarray out, int kind):
    """Where to draw: `out` itself if it has this kind, else an array to be stored in it afterwards."""
    if cnp.PyArray_TYPE(out) == kind:
        return out
    return cnp.PyArray_EMPTY(cnp.PyArray_NDIM(out), cnp.PyArray_DIMS(out), kind, 0)


cdef inline cnp.ndarray in_double(cnp.ndarray out):
    return in_kind(out, cnp.NPY_DOUBLE)


cdef inline double* doubles(cnp.ndarray a) except? NULL:
    return <double*>into(a, cnp.NPY_DOUBLE, cnp.PyArray_SIZE(a))


cdef int finish(cnp.ndarray out, cnp.ndarray drawn) except -1:
    """Stores what was drawn elsewhere; float32 from double here, because it is frequent and often short."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out), i
    cdef double* x
    cdef float* y
    if drawn is out:
        return 0
    if cnp.PyArray_TYPE(out) != cnp.NPY_FLOAT or cnp.PyArray_TYPE(drawn) != cnp.NPY_DOUBLE:
        store(out, drawn)
        return 0
    x, y = doubles(drawn), <float*>into(out, cnp.NPY_FLOAT, n)
    for i in range(n):
        y[i] = <float>x[i]
    return 0


def uniform_(Engine engine not None, cnp.ndarray out not None, double low=0.0, double high=1.0):
    """Uniform in [low, high): 24 random bits a number, 53 for float64."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    if cnp.PyArray_TYPE(out) == cnp.NPY_DOUBLE:
        uniform_f64(&engine.m, doubles(out), n, low, high)
        return
    drawn = in_kind(out, cnp.NPY_FLOAT)
    uniform_f32(&engine.m, <float*>into(drawn, cnp.NPY_FLOAT, n), n, <float>low, <float>high)
    if drawn is not out:
        store_uniform(out, drawn, low, high)


def normal_(Engine engine not None, cnp.ndarray out not None, double mean=0.0, double std=1.0, bint strided=False):
    """Normal numbers; `strided` says that the tensor to be filled is not contiguous, for which torch has no blocks."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    if n < BLOCK or strided:
        drawn = in_double(out)
        normal_one_by_one(&engine.m, &engine.kept, doubles(drawn), n, mean, std)
    elif cnp.PyArray_TYPE(out) == cnp.NPY_DOUBLE:
        normal_f64(&engine.m, doubles(out), n, n, mean, std)
        return
    else:
        drawn = in_kind(out, cnp.NPY_FLOAT)
        normal_f32(&engine.m, <float*>into(drawn, cnp.NPY_FLOAT, n), n, n if drawn is out else n - n % BLOCK,
                   <float>mean, <float>std)
    finish(out, drawn)


def log_normal_(Engine engine not None, cnp.ndarray out not None, double mean=1.0, double std=2.0):
    """e to the power of normal numbers, drawn one by one whatever the size."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out), i
    drawn = in_double(out)
    cdef double* x = doubles(drawn)
    normal_one_by_one(&engine.m, &engine.kept, x, n, mean, std)
    for i in range(n):
        x[i] = exp(x[i])
    finish(out, drawn)


def random_(Engine engine not None, cnp.ndarray out not None, low=None, high=None):
    """Integers in [low, high); without bounds, all from 0 that the dtype holds without a gap."""
    first, count, wide = integer_range(out.dtype, low, high)
    if count <= 0 and not (wide and count == 0):
        raise ValueError(f"random_: there is no integer from {low} to below {high}")
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn = in_kind(out, cnp.NPY_INT64)
    cdef int64_t* x = <int64_t*>into(drawn, cnp.NPY_INT64, n)
    if wide:
        integers_64(&engine.m, x, n, count, first)
    else:
        integers_32(&engine.m, x, n, count, first)
    finish(out, drawn)


def randperm(Engine engine not None, Py_ssize_t n, cnp.ndarray out not None, Py_ssize_t wide_from=WIDE_PERMUTATION):
    """A permutation of 0 .. n-1 (Fisher and Yates): from the front, or inside out where it is long."""
    drawn = in_kind(out, cnp.NPY_INT64)
    cdef int64_t* x = <int64_t*>into(drawn, cnp.NPY_INT64, n)
    if n < wide_from:
        shuffle(&engine.m, x, n)
    else:
        shuffle_inside_out(&engine.m, x, n)
    finish(out, drawn)


def bernoulli_scalar_(Engine engine not None, cnp.ndarray out not None, double p):
    """1 with probability p, else 0: a 53-bit number below p, whatever the dtype."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn = in_kind(out, cnp.NPY_BOOL)
    bernoulli_one_p(&engine.m, <uint8_t*>into(drawn, cnp.NPY_BOOL, n), n, p)
    finish(out, drawn)


def bernoulli_tensor_(Engine engine not None, cnp.ndarray out not None, cnp.ndarray p not None):
    """1 with each element's own probability: 24 bits a number, 53 where p is float64."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn = in_kind(out, cnp.NPY_BOOL)
    cdef uint8_t* x = <uint8_t*>into(drawn, cnp.NPY_BOOL, n)
    if cnp.PyArray_TYPE(p) == cnp.NPY_DOUBLE:
        bernoulli_p_f64(&engine.m, x, n, <double*>data(p, cnp.NPY_DOUBLE, n))
    else:
        p = np.ascontiguousarray(p, np.float32)
        bernoulli_p_f32(&engine.m, x, n, <float*>data(p, cnp.NPY_FLOAT, n))
    finish(out, drawn)


def exponential_(Engine engine not None, cnp.ndarray out not None, double lambd=1.0):
    """Waiting times at rate lambd, computed in double."""
    drawn = in_double(out)
    exponential_f64(&engine.m, doubles(drawn), cnp.PyArray_SIZE(out), lambd)
    finish(out, drawn)


def cauchy_(Engine engine not None, cnp.ndarray out not None, double median=0.0, double sigma=1.0):
    """Cauchy's distribution, computed in double."""
    drawn = in_double(out)
    cauchy_f64(&engine.m, doubles(drawn), cnp.PyArray_SIZE(out), median, sigma)
    finish(out, drawn)


def geometric_(Engine engine not None, cnp.ndarray out not None, double p):
    """The number of trials up to the first success, computed in double."""
    drawn = in_double(out)
    geometric_f64(&engine.m, doubles(drawn), cnp.PyArray_SIZE(out), p)
    finish(out, drawn)


cdef inline cnp.ndarray doubles_of(cnp.ndarray given):
    return np.ascontiguousarray(given, np.float64)


def standard_gamma(Engine engine not None, cnp.ndarray out not None, cnp.ndarray shape not None):
    """Gamma numbers of scale 1, each with a shape of its own, which is float32 or float64."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn = in_double(out)
    if cnp.PyArray_TYPE(shape) == cnp.NPY_FLOAT:
        gamma_f32(&engine.m, &engine.kept, doubles(drawn), n, <float*>data(shape, cnp.NPY_FLOAT, n))
    else:
        gamma_f64(&engine.m, &engine.kept, doubles(drawn), n, <double*>data(shape, cnp.NPY_DOUBLE, n))
    finish(out, drawn)


def poisson(Engine engine not None, cnp.ndarray out not None, cnp.ndarray mean not None):
    """Counts of events, each with a mean of its own, computed in double."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn, mean = in_double(out), doubles_of(mean)
    poisson_f64(&engine.m, doubles(drawn), n, <double*>data(mean, cnp.NPY_DOUBLE, n))
    finish(out, drawn)


def binomial(Engine engine not None, cnp.ndarray out not None, cnp.ndarray count not None, cnp.ndarray p not None):
    """Successes, each in a number of trials and with a probability of its own."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    drawn, count, p = in_double(out), doubles_of(count), doubles_of(p)
    binomial_f64(&engine.m, doubles(drawn), n, <double*>data(count, cnp.NPY_DOUBLE, n),
                 <double*>data(p, cnp.NPY_DOUBLE, n))
    finish(out, drawn)


def multinomial(Engine engine not None, cnp.ndarray out not None, cnp.ndarray p not None, bint replacement=False):
    """`out` (rows, samples) gets indices into the rows of `p`, as likely as their weights."""
    choose(out, p, replacement, lambda drawn: uniform_(engine, drawn), lambda drawn: exponential_(engine, drawn))
