# Convolutions of images that lie in memory either way; which of them suit is for the caller to say.
cimport numpy as cnp
from .convolution_sizes cimport Convolution

cdef bint lie_last(cnp.ndarray a) noexcept
cdef bint lies_either_way(cnp.ndarray a) noexcept
cdef int forward_by_pixels(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v) except -1
cdef int input_grad_by_pixels(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, object bias, Convolution* v) except -1
cdef bint can_go_back(Convolution* v) noexcept
cdef bint takes_pairs(cnp.ndarray x) noexcept
cdef cnp.ndarray as_floats(object bias, Py_ssize_t channels)
