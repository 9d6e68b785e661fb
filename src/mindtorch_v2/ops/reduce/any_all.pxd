from ...core.tensor cimport blank, ndim_of, numel_of, shape_of, strides_of
from .reduction cimport accumulator, in_type, prefill, reduced
