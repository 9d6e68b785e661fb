# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Elements between those of an image, at places that a grid names in numbers from -1 to 1."""
cimport numpy as cnp
from ..pool cimport share_out
from .arrays cimport data, into, into_or_null, is_real

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "grid_sample.h" nogil:
    enum: AXES
    ctypedef struct Sampling:
        Py_ssize_t batch, channels
        Py_ssize_t[3] size_in "in"
        Py_ssize_t[3] out
        int rank, interpolation, padding, align_corners
        void *to
        void *of
        void *grid
        void *to_grid
        void *grad
    enum: PLACES
    Py_ssize_t blocks_of(const Sampling* s)
    void grid_sample_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void grid_sample_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void grid_sample_backward_f32(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void grid_sample_backward_f64(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    WORK = 16_384  # samples that one thread takes at a time
    LARGEST = 2_147_483_647  # elements of a plane: they are counted as 32-bit numbers


cdef int place(Sampling* s, cnp.ndarray out, cnp.ndarray x, cnp.ndarray grid, int interpolation, int padding,
               bint align_corners) except -1:
    """x is (n, c, sizes), out (n, c, outputs), grid (n, outputs, rank)."""
    cdef int dims = cnp.PyArray_NDIM(x), i
    cdef bint fits = 4 <= dims <= 5 and cnp.PyArray_NDIM(out) == dims and cnp.PyArray_NDIM(grid) == dims
    s.rank, s.interpolation, s.padding, s.align_corners = dims - 2, interpolation, padding, align_corners
    s.size_in[0] = s.out[0] = 1
    if fits:
        s.batch, s.channels = cnp.PyArray_DIM(x, 0), cnp.PyArray_DIM(x, 1)
        fits = (cnp.PyArray_DIM(out, 0) == s.batch and cnp.PyArray_DIM(out, 1) == s.channels
                and cnp.PyArray_DIM(grid, 0) == s.batch and cnp.PyArray_DIM(grid, dims - 1) == s.rank)
    if fits:
        for i in range(s.rank):
            s.size_in[AXES - s.rank + i] = cnp.PyArray_DIM(x, 2 + i)
            s.out[AXES - s.rank + i] = cnp.PyArray_DIM(out, 2 + i)
            fits = (fits and cnp.PyArray_DIM(out, 2 + i) == cnp.PyArray_DIM(grid, 1 + i)
                    and 0 < cnp.PyArray_DIM(x, 2 + i) < LARGEST)
        fits = fits and <double>s.size_in[0] * s.size_in[1] * s.size_in[2] < LARGEST
    if not fits or not 0 <= padding <= 2 or not 0 <= interpolation <= (2 if s.rank == 2 else 1):
        raise ValueError(f"grid_sampler: {(<object>x).shape}, {(<object>grid).shape} and {(<object>out).shape} do not "
                         f"fit interpolation {interpolation} and padding {padding}")
    return 0


def grid_sampler(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray grid not None, int interpolation,
                 int padding, bint align_corners):
    """x at the places of the grid; interpolation and padding are torch's numbers for them."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(grid_sampler, 1, out, x, grid, interpolation, padding, align_corners)
    cdef Sampling s
    place(&s, out, x, grid, interpolation, padding, align_corners)
    s.to, s.of = into(out, kind, cnp.PyArray_SIZE(out)), data(x, kind, cnp.PyArray_SIZE(x))
    s.grid = data(grid, kind, cnp.PyArray_SIZE(grid))
    with nogil:
        share_out(s.batch * blocks_of(&s), WORK // (PLACES * (s.channels + 1)) + 1,
                  grid_sample_f32 if kind == cnp.NPY_FLOAT else grid_sample_f64, &s)


def grid_sampler_backward(grad_x, grad_grid, cnp.ndarray grad_out not None, cnp.ndarray x not None,
                          cnp.ndarray grid not None, int interpolation, int padding, bint align_corners):
    """Gradients of grid_sampler for x and the grid; those that are None are left out."""
    cdef int kind = cnp.PyArray_TYPE(x)
    if not is_real(kind):
        return in_float32(grid_sampler_backward, 2, grad_x, grad_grid, grad_out, x, grid, interpolation, padding,
                          align_corners)
    cdef Sampling s
    place(&s, grad_out, x, grid, interpolation, padding, align_corners)
    s.to = into_or_null(grad_x, kind, cnp.PyArray_SIZE(x))
    s.to_grid = into_or_null(grad_grid, kind, cnp.PyArray_SIZE(grid))
    s.grad = data(grad_out, kind, cnp.PyArray_SIZE(grad_out))
    s.of, s.grid = data(x, kind, cnp.PyArray_SIZE(x)), data(grid, kind, cnp.PyArray_SIZE(grid))
    with nogil:
        share_out(s.batch, 1, grid_sample_backward_f32 if kind == cnp.NPY_FLOAT else grid_sample_backward_f64, &s)
