from ...core.tensor cimport blank, ndim_of, numel_of, shape_of
from ...dispatch.dispatcher cimport is_unobserved
from .reduction cimport accumulator, in_type, reduced
