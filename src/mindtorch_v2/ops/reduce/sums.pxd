from ...core.tensor cimport Tensor, ndim_of, numel_of, shape_of
from ...dispatch cimport dispatcher
from .reduction cimport accumulator, in_type, prefill, reduced
