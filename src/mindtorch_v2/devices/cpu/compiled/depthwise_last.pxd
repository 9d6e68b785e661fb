# Convolutions with a kernel for each channel; that they suit is for the caller to say.
cimport numpy as cnp
from .convolution_sizes cimport Convolution

cdef int forward_of_channels(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v) except -1
cdef int input_grad_of_channels(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, Convolution* v) except -1
cdef int weight_grad_of_channels(cnp.ndarray gw, cnp.ndarray g, cnp.ndarray x, Convolution* v) except -1
