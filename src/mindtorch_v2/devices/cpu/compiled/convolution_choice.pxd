# Which way a convolution is computed: in loops over rows of padded images, in tiles over the channels of positions, or
# by panels of columns and a product of matrices.
cimport numpy as cnp
from .arrays cimport PyArray_ISCARRAY_RO
from .convolution_sizes cimport DIMENSIONS, MOST_REMAINDERS, Convolution, volume
from .pixel_convolution cimport lie_last, lies_either_way, takes_pairs

cdef enum:
    SMALL = 1 << 22  # multiplications up to which loops beat BLAS and what is around it
    MANY = 16  # channels of a group from which they fill the tiles of positions
    FEW = 8  # channels of a group up to which they do, however much work there is
    DIRECT = 1 << 22  # elements of a channel between its zeros, and of a kernel's weights, up to which loops are taken


cdef inline double work_of(Convolution* v) noexcept nogil:
    """Multiplications."""
    return <double>v.n * v.o * volume(v.out) * (v.c // v.groups) * volume(v.kernel)


cdef inline bint is_small(Convolution* v) noexcept:
    """Whether loops beat BLAS whatever is computed: little work, or few channels."""
    return work_of(v) <= SMALL or max(v.c, v.o) // v.groups <= FEW


cdef inline bint can_be_direct(Convolution* v) noexcept:
    """Whether there is room for the copies that loops make."""
    cdef double padded = 1
    cdef int k
    for k in range(DIMENSIONS):
        padded *= v.in_[k] + v.out[k] + v.padding[k] + <double>v.kernel[k] * v.dilation[k] + v.stride[k]
    return (padded <= DIRECT and volume(v.kernel) * (v.c // v.groups) * (v.o // v.groups) <= DIRECT
            and <double>v.stride[0] * v.stride[1] * v.stride[2] <= MOST_REMAINDERS)


cdef inline double used_of_rows(Convolution* v, bint is_back) noexcept:
    """Which part of rows of sums is used: they lose what is between their lines."""
    cdef int k
    cdef double used = 1, count
    for k in range(1, DIMENSIONS):
        count = <double>v.in_[k] / v.stride[k] if is_back else v.out[k]
        used *= count / (count + (v.kernel[k] - 1) * v.dilation[k] // v.stride[k])
    return used


cdef inline bint is_dense(Convolution* v, double part, bint is_back) noexcept:
    """Whether the kernel is larger than one, and its rows lose no more than the other part."""
    return volume(v.kernel) > 1 and used_of_rows(v, is_back) >= part


cdef inline bint covers_all(Convolution* v) noexcept:
    """Whether the kernel is as large as the input: one position, which is a linear layer."""
    cdef int k
    for k in range(DIMENSIONS):
        if v.in_[k] != v.kernel[k] or v.out[k] != 1 or v.padding[k] or v.dilation[k] != 1:
            return False
    return v.groups == 1


cdef inline bint suits_rows(Convolution* v, bint is_back) noexcept:
    """Whether loops over rows of padded images serve better than panels of columns."""
    return not covers_all(v) and can_be_direct(v) and (is_small(v) or is_dense(v, 0.5, is_back))


cdef inline bint suits_pixels(Convolution* v, cnp.ndarray x, cnp.ndarray y, bint is_back) noexcept:
    """Whether sums over the channels of positions serve best: channels lie last, there are many of them, or rows of
    padded images lose too much. Backward, `x` is the gradient of the output and `y` that of the input."""
    cdef Py_ssize_t seen = (v.o if is_back else v.c) // v.groups, written = (v.c if is_back else v.o) // v.groups
    cdef Py_ssize_t run = seen * (v.kernel[2] // v.stride[2] if is_back else v.kernel[2])
    if (volume(v.kernel) == 1 or covers_all(v) or cnp.PyArray_TYPE(x) != cnp.PyArray_TYPE(y)
            or cnp.PyArray_SIZE(x) == 0 or cnp.PyArray_SIZE(y) == 0 or not cnp.PyArray_ISWRITEABLE(y)
            or not lies_either_way(x) or not lies_either_way(y)):
        return False
    if written < MANY or run < MANY:
        return False
    if not (can_be_direct(v) and (is_small(v) or is_dense(v, 0.75, is_back))):
        return True
    if PyArray_ISCARRAY_RO(x) and PyArray_ISCARRAY_RO(y):
        return min(seen, written) >= (2 * MANY if volume(v.stride) > 1 or used_of_rows(v, False) < 0.9 else 4 * MANY)
    return seen >= MANY


cdef inline bint suits_pairs(Convolution* v, cnp.ndarray x, cnp.ndarray y, bint is_back) noexcept:
    """Whether sums over pairs of channels serve bfloat16: not where a channel has a kernel of its own."""
    cdef Py_ssize_t seen = (v.o if is_back else v.c) // v.groups, written = (v.c if is_back else v.o) // v.groups
    return (takes_pairs(x) and seen > 1 and written >= FEW and cnp.PyArray_TYPE(x) == cnp.PyArray_TYPE(y)
            and cnp.PyArray_SIZE(x) > 0 and cnp.PyArray_SIZE(y) > 0 and cnp.PyArray_ISWRITEABLE(y)
            and lies_either_way(x) and lies_either_way(y))


cdef inline bint is_pointwise(Convolution* v) noexcept:
    """Whether the columns are the input itself."""
    return volume(v.kernel) == 1 and volume(v.stride) == 1 and v.padding[0] + v.padding[1] + v.padding[2] == 0


cdef inline bint suits_channels(Convolution* v, cnp.ndarray x, cnp.ndarray y) noexcept:
    """Whether each channel has a kernel of its own, and channels lie last."""
    return (v.c == v.groups == v.o and lie_last(x) and lie_last(y) and not PyArray_ISCARRAY_RO(x)
            and cnp.PyArray_ISWRITEABLE(y) and cnp.PyArray_TYPE(x) == cnp.PyArray_TYPE(y))
